import PipelineKit
import PipelineLanguage
import PipelineTesting
import Testing

/// Requests that must not be sent twice, in steps that are split, joined by others, or edited in
/// several ways at once before the run goes on.
@Suite struct EditedStepTests {
  private static func server() -> ScriptedTransport {
    ScriptedTransport { request in
      request.url.hasSuffix("/bad") ? .status(404) : .json(["id": .string(request.url)])
    }
  }

  /// - Parameters:
  ///   - steps: The steps before the last one, which fails until it is mended.
  ///   - last: What that one fetches.
  private static func workflow(_ steps: String, last: String = "/good") -> String {
    let ids = steps.matches(of: /"id": ("[a-z]+"), "(?:endpoint|choose)"/).map { String($0.1) }
    return """
      {"inputs": {"new": {"type": "boolean", "default": false}},
       "defaults": {"baseURL": "https://api.example"},
       "steps": [\(steps), 
        {"id": "gate", "dependsOn": [\(ids.joined(separator: ", "))], "endpoint": "GET \(last)"}]}
      """
  }

  private static func run(
    _ text: String, _ journal: MemoryJournal, _ transport: ScriptedTransport
  ) async throws {
    var options = RunOptions()
    options.journal = journal
    _ = try await Pipeline(try plan(text), transport: transport, options: options).run().result
  }

  private static func post(
    _ id: String, _ path: String = "/orders", _ rest: String = "", body: String = "{{c}}"
  ) -> String {
    """
    {"id": "\(id)", "endpoint": "POST \(path)", "body": {"json": {"c": "\(body)"}}\(rest)}
    """
  }

  private static func choice(_ branches: String...) -> String {
    #"{"id": "make", "choose": [\#(branches.joined(separator: ", "))]}"#
  }

  private static func branch(_ isNew: String, _ path: String) -> String {
    #"{"when": "$.inputs.new == \#(isNew)", "endpoint": "POST \#(path)", "body": {"json": 1}}"#
  }

  private static func each(_ list: String) -> String { #", "forEach": \#(list), "as": "c""# }

  private static let header = #", "headers": {"X-Source": "batch"}"#

  private static let four = post("create", "/orders", each(#"["a", "b", "c", "d"]"#))
  private static let one = post("create", body: "a")
  private static let row = post(
    "create", "/orders", each(#"[{"n": "a", "m": 1}]"#), body: "{{c.m}}")

  private static let edits: [(before: String, after: String, asked: [String])] = [
    // A part of a list goes to another step.
    (
      four,
      post("create", "/orders", each(#"["a", "b"]"#)) + ", "
        + post("rest", "/orders", each(#"["c", "d"]"#)),
      ["rest[0]", "rest[1]"]
    ),
    (
      four,
      post("first", "/orders", each(#"["a", "b"]"#) + header) + ", "
        + post("create", "/orders", each(#"["c", "d"]"#) + #", "dependsOn": ["first"]"#),
      ["first[0]", "first[1]"]
    ),
    (
      four,
      post("create", "/orders", each(#"["a", "b", "c"]"#)) + ", "
        + post("rest", "/late", each(#"["d"]"#)),
      ["rest[0]"]
    ),
    // And its body is another one, too.
    (
      four,
      post("create", "/orders", each(#"["a", "b"]"#)) + ", "
        + post("rest", "/orders", each(#"["c", "d"]"#), body: "{{c}}!"),
      ["rest[0]", "rest[1]"]
    ),
    // Its name goes to a new step, and its items come later.
    (
      post("create", "/orders", each(#"["a", "b"]"#) + #", "concurrency": 1"#),
      post("create", body: "x") + ", "
        + post("rest", "/orders", each(#"["a", "c", "b"]"#) + header + #", "concurrency": 1"#),
      ["rest[0]", "rest[2]"]
    ),
    // A branch comes before the one that was taken.
    (
      choice(branch("false", "/orders")),
      choice(branch("true", "/mails"), branch("false", "/orders")),
      ["make.2"]
    ),
    // Another step has its name now.
    (one, post("create", "/customers", body: "x") + ", " + post("order", body: "a"), ["order"]),
    (
      one,
      post("create", "/customers", #", "when": "$.inputs.new == true""#, body: "a") + ", "
        + post("order", body: "a"), ["order"]
    ),
    // It becomes a list, with another header field.
    (one, post("create", "/orders", each(#"["a"]"#) + header), ["create[0]"]),
    // Another name, and another item.
    (
      row, post("order", "/orders", each(#"[{"n": "a", "m": 2}]"#), body: "{{c.m}}"), ["order[0]"]
    ),
    (
      row, post("order", "/orders", each(#"[{"n": "b", "m": 2}]"#), body: "{{c.m}}"), ["order[0]"]
    ),
  ]

  @Test(arguments: edits.indices)
  func itIsAskedAbout(number: Int) async throws {
    let (before, after, asked) = Self.edits[number]
    let journal = MemoryJournal()
    let first = Self.server()
    try await Self.run(Self.workflow(before, last: "/bad"), journal, first)
    let transport = Self.server()
    let error = await #expect(throws: RunInDoubt.self) {
      try await Self.run(Self.workflow(after), journal, transport)
    }
    #expect(error?.requests.map(\.unit.name) == asked)
    #expect(transport.requests.isEmpty)
    // What a person says of them is done.
    for request in error?.requests ?? [] { journal.settle(request, as: .answered) }
    try await Self.run(Self.workflow(after), journal, transport)
    #expect(Self.orders(transport).isDisjoint(with: Self.orders(first)))
  }

  /// The bodies of the orders that were sent.
  private static func orders(_ transport: ScriptedTransport) -> Set<[UInt8]> {
    Set(
      transport.requests.compactMap { request in
        guard request.url.hasSuffix("/orders"), case .bytes(let body) = request.body else {
          return nil
        }
        return body
      })
  }

  private static let additions: [(before: String, after: String, sent: Set<String>)] = [
    (one, post("notify", "/mails", body: "a") + ", " + one, ["/mails"]),
    (one, post("other", body: "b") + ", " + one, ["/orders"]),
    (four, post("mails", "/mails", each(#"["a", "b", "c", "d"]"#)) + ", " + four, ["/mails"]),
  ]

  /// A step that was added is sent without a question.
  @Test(arguments: additions.indices)
  func aNewStepIsSent(number: Int) async throws {
    let (before, after, sent) = Self.additions[number]
    let journal = MemoryJournal()
    try await Self.run(Self.workflow(before, last: "/bad"), journal, Self.server())
    let transport = Self.server()
    try await Self.run(Self.workflow(after), journal, transport)
    let paths = transport.requests.filter { $0.method == "POST" }.map {
      String($0.url.dropFirst("https://api.example".count))
    }
    #expect(Set(paths) == sent)
    #expect(paths.count == (before == Self.four ? 4 : 1))
  }

  /// What a person said of an item is not said of the one that it becomes.
  @Test(arguments: [Settlement.skip, .done(values: Array(#"{"id": "7"}"#.utf8))])
  func anItemThatWasSettledIsAskedAboutWhenItChanges(_ settlement: Settlement) async throws {
    let journal = MemoryJournal()
    let lost = ScriptedTransport { _ in .failure(TransportError(.interrupted, "reset")) }
    let extract = #", "extract": {"id": "$.id"}"#
    func orders(_ list: String) -> String {
      Self.workflow(Self.post("create", "/orders", Self.each(list) + extract, body: "{{c.m}}"))
    }
    try await Self.run(orders(#"[{"n": "a", "m": 1}]"#), journal, lost)
    let doubt = try #require(try journal.history().sendings.first)
    journal.settle(doubt, as: settlement)
    let transport = Self.server()
    let error = await #expect(throws: RunInDoubt.self) {
      try await Self.run(orders(#"[{"n": "a", "m": 2}]"#), journal, transport)
    }
    #expect(error?.requests.map(\.unit.name) == ["create[0]"])
    #expect(transport.requests.isEmpty)
    // The item itself is as the person said.
    try await Self.run(orders(#"[{"n": "a", "m": 1}]"#), journal, transport)
    #expect(!transport.requests.contains { $0.method == "POST" })
  }

  /// What a round would send is not known before the one before it is.
  @Test func onlyTheFirstRoundThatChangedIsAskedAbout() async throws {
    let counting = ScriptedTransport { request in
      guard case .bytes(let bytes) = request.body else { return .status(404) }
      let count = String(decoding: bytes, as: UTF8.self).compactMap(\.wholeNumberValue).last ?? 0
      return .json(["n": .number(JSONNumber(count + 1))])
    }
    func rounds(_ header: String) -> String {
      """
      {"steps": [{"id": "r", "repeat": {"carry": {"n": {"default": 0, "next": "{{p.n}}"}},
          "until": "@.n >= 3", "maxRounds": 5},
        "steps": [{"id": "p", "endpoint": "POST https://api.example/n",
          "body": {"json": {"n": "{{n}}"}}\(header), "extract": {"n": "$.n"}}],
        "outputs": {"n": "{{p.n}}"}}]}
      """
    }
    let journal = MemoryJournal()
    try await Self.run(rounds(""), journal, counting)
    let error = await #expect(throws: RunInDoubt.self) {
      try await Self.run(rounds(Self.header), journal, counting)
    }
    #expect(error?.requests.map(\.unit.name) == ["r.p[0]"])
  }
}
