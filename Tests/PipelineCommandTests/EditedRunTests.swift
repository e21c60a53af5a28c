import PipelineHTTPServers
import PipelineJSONText
import PipelineSandboxServers
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// A run whose file is edited before it goes on: what must not be sent twice, as a user meets it.
@Suite(.enabled(if: hasSQLite, "SQLite is not installed")) struct EditedRunTests {
  /// Orders for each customer, and then a request that fails until it is mended.
  private static func orders(
    _ customers: String = #"["ann", "ben"]"#, id: String = "order", step: String = "",
    defaults: String = "", body: String = #"{"customer": "{{customer}}"}"#,
    extract: String = #"{"body": "$.body"}"#, last: String = "/status/200"
  ) -> String {
    """
    {"name": "orders", "inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"\(defaults)},
     "steps": [
      {"id": "\(id)", "forEach": \(customers), "as": "customer", "endpoint": "POST /echo",
       "body": {"json": \(body)}, "extract": \(extract)\(step)},
      {"id": "last", "dependsOn": ["\(id)"], "endpoint": "GET \(last)"}],
     "outputs": {"orders": "$.\(id)[*]"}}
    """
  }

  /// A folder with a run that has ordered and then failed, and the server that has the orders.
  private struct Ordered {
    let folder = TemporaryFolder()
    let server: SandboxServer
    var store: [String] { ["--store", folder.path + "/store"] }

    init(_ text: String = orders(last: "/status/500")) async throws {
      server = try SandboxServer.start()
      let path = folder.write(text, to: "w.json")
      let run = await pipeline(
        ["run", path, "--quiet", "--set", "api=" + server.origin, "--output-dir", folder.path]
          + store)
      #expect(run.status == .failure, "\(run.error)")
    }

    /// How often the server was posted to.
    var posts: Int { server.records.requests.count { $0.method == "POST" } }

    func resume(_ text: String, _ options: [String] = []) async -> Outcome {
      _ = folder.write(text, to: "w.json")
      return await pipeline(["resume", "--quiet"] + options + store)
    }
  }

  @Test(arguments: [
    orders(extract: #"{"path": "$.path"}"#), orders(step: #", "expect": {"status": 200}"#),
    orders(id: "renamed"), orders(step: #", "retry": 2"#, extract: #"{"all": {"text": true}}"#),
    orders(step: #", "save": "{{customer}}.json""#), orders(#"["ben", "ann"]"#, extract: "{}"),
  ])
  func anEditBesideTheRequestSendsNothing(edited: String) async throws {
    let run = try await Ordered()
    defer { run.server.stop() }
    let plan = await run.resume(edited, ["--plan"])
    #expect(plan.output.contains("2 read again"), "\(plan.output)")
    let resumed = await run.resume(edited)
    #expect(resumed.status == .success, "\(resumed.error)")
    #expect(run.posts == 2)
    #expect(await pipeline(["resume", "--quiet"] + run.store).status == .failure)
  }

  @Test func aChangedRequestIsShownInBothForms() async throws {
    let run = try await Ordered()
    defer { run.server.stop() }
    let edited = Self.orders(body: #"{"customer": "{{customer}}", "v": 2}"#)
    let count = run.server.records.requests.count
    for options in [[], ["--plan"]] {
      let outcome = await run.resume(edited, options)
      #expect(outcome.status == .inDoubt)
      #expect(outcome.error.contains("carried out before"), "\(outcome.error)")
      #expect(
        outcome.error.contains(
          "    then: POST \(run.server.origin)/echo {\"customer\":\"ann\"}\n"
            + "    now:  POST \(run.server.origin)/echo {\"customer\":\"ann\",\"v\":2}\n"),
        "\(outcome.error)")
      #expect(outcome.error.contains("  order[1]  POST "))
      #expect(outcome.error.contains("customer: ben  carried out at "))
    }
    #expect(run.server.records.requests.count == count)
    let kept = await run.resume(edited, ["--settle", "order[*]=done"])
    #expect(kept.status == .success, "\(kept.error)")
    #expect(run.posts == 2)
  }

  @Test func allOfAStepIsSettledAtOnce() async throws {
    let run = try await Ordered()
    defer { run.server.stop() }
    let edited = Self.orders(defaults: #", "headers": {"X-Version": "2"}"#)
    let listed = await run.resume(edited)
    #expect(listed.error.contains("a header field, or the rest of the body, is different"))
    let resumed = await run.resume(edited, ["--settle", "order[*]=again"])
    #expect(resumed.status == .success, "\(resumed.error)")
    #expect(run.posts == 4)
  }

  @Test func answersComeFromAFile() async throws {
    let run = try await Ordered()
    defer { run.server.stop() }
    let edited = Self.orders(
      body: #"{"to": "{{customer}}"}"#,
      extract: #"{"id": "$.id", "note": {"body": "$.note", "optional": true},"#
        + #""count": {"body": "$.count", "type": "integer", "optional": true}}"#)
    for (text, words) in [
      (#"{"order[0]": null}"#, "does not say what became of 'order[0]'"),
      (#"{"order[0]": "again", "order[1]": {"note": 1}}"#, "lacks what step 'order' extracts: id"),
      (
        #"{"order[0]": "again", "order[1]": {"id": 1, "noet": 1}}"#,
        "step 'order' gives no value 'noet'; did you mean 'note'?"
      ),
      (
        #"{"order[0]": "again", "order[1]": {"id": 1, "count": "2"}}"#,
        "'count' must be a whole number, and not \"2\""
      ),
      (#"{"order[0]": "maybe"}"#, "takes 'again', 'skip', 'done' or a JSON object"),
      (#"["order[0]"]"#, "does not hold a JSON object"),
    ] {
      let path = run.folder.write(text, to: "answers.json")
      let outcome = await run.resume(edited, ["--settle", "@" + path])
      #expect(outcome.status == .usage, "\(outcome.error)")
      #expect(outcome.error.contains(words), "\(outcome.error)")
    }
    let path = run.folder.write(
      #"{"order[0]": {"id": 7}, "order[1]": "skip"}"#, to: "answers.json")
    let resumed = await run.resume(edited, ["--settle", "@" + path])
    #expect(resumed.status == .success, "\(resumed.error)")
    #expect(resumed.output.filter { !$0.isWhitespace } == #"{"orders":[{"id":7},null]}"#)
    #expect(run.posts == 2)
  }

  /// What a person said stays true when the step gets another name, or goes into a block.
  @Test(arguments: [
    orders(id: "renamed", body: changed),
    """
    {"name": "orders", "inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [
      {"id": "all", "steps": [
        {"id": "order", "forEach": ["ann", "ben"], "as": "customer", "endpoint": "POST /echo",
         "body": {"json": \(changed)}, "extract": {"body": "$.body"}}],
       "outputs": {"orders": "$.order[*]"}},
      {"id": "last", "dependsOn": ["all"], "endpoint": "GET /status/200"}],
     "outputs": {"orders": "$.all.orders"}}
    """,
  ])
  func whatWasSettledIsNotSentUnderAnotherName(edited: String) async throws {
    let run = try await Ordered()
    defer { run.server.stop() }
    let settled = await run.resume(
      Self.orders(body: Self.changed, last: "/status/500"),
      ["--settle", "order[0]=skip", "--settle", #"order[1]={"body": "x"}"#])
    #expect(settled.status == .failure, "\(settled.error)")
    let resumed = await run.resume(edited)
    #expect(resumed.status == .success, "\(resumed.error)")
    #expect(resumed.output.filter { !$0.isWhitespace } == #"{"orders":[null,{"body":"x"}]}"#)
    #expect(run.posts == 2)
  }

  private static let changed = #"{"to": "{{customer}}"}"#

  /// It is asked whether the one that changed is one of those that were carried out.
  @Test func oneOfTwoEqualItemsIsAskedAboutWhenItChanges() async throws {
    let run = try await Ordered(Self.orders(#"["ann", "ann"]"#, last: "/status/500"))
    defer { run.server.stop() }
    let resumed = await run.resume(Self.orders(#"["ann", "zoe"]"#))
    #expect(resumed.status == .inDoubt, "\(resumed.error)")
    #expect(run.posts == 2)
    let more = await run.resume(Self.orders(#"["ann", "ann", "zoe"]"#))
    #expect(more.status == .success, "\(more.error)")
    #expect(run.posts == 3)
  }

  /// A collection and a single step exchange their ids.
  @Test func exchangedIdsSendNothing() async throws {
    let text = { (all: String, one: String, status: Int) in
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [
        {"id": "\(all)", "forEach": ["ann", "ben"], "as": "customer", "endpoint": "POST /echo",
         "body": {"json": {"customer": "{{customer}}"}}},
        {"id": "\(one)", "endpoint": "POST /echo", "body": {"json": {"total": 2}}},
        {"id": "last", "dependsOn": ["\(all)", "\(one)"], "endpoint": "GET /status/\(status)"}]}
      """
    }
    let run = try await Ordered(text("orders", "bill", 500))
    defer { run.server.stop() }
    let resumed = await run.resume(text("bill", "orders", 200))
    #expect(resumed.status == .success, "\(resumed.error)")
    #expect(run.posts == 3)
  }

  /// What was a main step becomes one that cleans up, of the file or of a block. It stays so in each
  /// later process, although clean-up is repeated.
  @Test(arguments: [
    """
    {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
     "steps": [{"id": "last", "endpoint": "GET /status/500", "retry": 1}],
     "finally": [{"id": "pay", "endpoint": "POST /echo", "body": {"json": 1}},
                 {"id": "tidy", "endpoint": "POST /echo", "body": {"json": "tidy"}}]}
    """,
    """
    {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [
      {"id": "all", "steps": [{"id": "last", "endpoint": "GET /status/500", "retry": 1}],
       "finally": [{"id": "pay", "endpoint": "POST /echo", "body": {"json": 1}}]}],
     "finally": [{"id": "tidy", "endpoint": "POST /echo", "body": {"json": "tidy"}}]}
    """,
  ])
  func aStepThatBecomesCleanUpIsNotSentAgain(edited: String) async throws {
    let run = try await Ordered(
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [
        {"id": "pay", "endpoint": "POST /echo", "body": {"json": 1}},
        {"id": "last", "dependsOn": ["pay"], "endpoint": "GET /status/500", "retry": 1}],
       "finally": [{"id": "tidy", "endpoint": "POST /echo", "body": {"json": "tidy"}}]}
      """)
    defer { run.server.stop() }
    #expect(run.posts == 2)
    for count in 1...2 {
      let resumed = await run.resume(edited)
      #expect(resumed.status == .failure, "\(resumed.error)")
      // The other one is repeated, because a main step was carried out.
      #expect(run.posts == 2 + count)
    }
  }

  /// What is settled is kept in clear, so nothing secret is settled.
  @Test func aSecretIsNotSettled() async throws {
    let folder = TemporaryFolder()
    let server = try SandboxServer.start()
    defer { server.stop() }
    let path = folder.write(
      """
      {"inputs": {"api": {}}, "steps": [
        {"id": "login", "endpoint": "POST {{inputs.api}}/faults/empty",
         "extract": {"token": {"body": "$.t", "secret": true}}}]}
      """, to: "w.json")
    let store = ["--store", folder.path + "/store", "--quiet"]
    let run = await pipeline(["run", path, "--set", "api=" + server.origin] + store)
    #expect(run.status == .inDoubt, "\(run.error)")
    for words in [[#"login={"token": "sesame-1234"}"#], ["login=done"]] {
      let settled = await pipeline(["resume", "--settle"] + words + store)
      #expect(settled.status == .usage)
      #expect(
        settled.error.contains("--settle login: 'token' is secret, and no secret is kept"),
        "\(settled.error)")
    }
  }

  /// A second item fails on its way to the file that the first one has saved.
  @Test func aFileOfAnotherItemIsNotReplaced() async throws {
    let text = { (name: String) in
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}", "retry": 1}, "steps": [
        {"id": "get", "forEach": [0, 1], "as": "n", "concurrency": 1,
         "endpoint": "GET /flaky/get{{n}}?fail={{n}}", "save": "\(name).json"}]}
      """
    }
    let folder = TemporaryFolder()
    let server = try SandboxServer.start()
    defer { server.stop() }
    let options = ["--store", folder.path + "/store", "--quiet"]
    let path = folder.write(text("all"), to: "w.json")
    let first = await pipeline(
      ["run", path, "--set", "api=" + server.origin, "--output-dir", folder.path] + options)
    #expect(first.status == .failure, "\(first.error)")
    let saved = folder.read("all.json")
    #expect(saved != nil)
    let resumed = await pipeline(["resume"] + options)
    #expect(resumed.status == .failure)
    #expect(
      resumed.error.contains(
        "'all.json' cannot be saved: 'get[0]' of this run has saved a file there"),
      "\(resumed.error)")
    #expect(folder.read("all.json") == saved)
    _ = folder.write(text("{{n}}"), to: "w.json")
    let mended = await pipeline(["resume"] + options)
    #expect(mended.status == .success, "\(mended.error)")
    #expect(folder.read("1.json") != nil)
  }

  /// A secret is missing: what was said is not written down, and can be said again.
  @Test func nothingIsSettledBeforeAllIsChecked() async throws {
    let text = { (version: Int) in
      """
      {"inputs": {"api": {}, "key": {"secret": true}}, "defaults": {"baseURL": "{{inputs.api}}",
        "auth": {"bearer": "{{inputs.key}}"}}, "steps": [
        {"id": "pay", "endpoint": "POST /echo", "body": {"json": {"v": \(version)}}},
        {"id": "last", "dependsOn": ["pay"], "endpoint": "GET /status/\(version == 1 ? 500 : 200)"}]}
      """
    }
    let folder = TemporaryFolder()
    let server = try SandboxServer.start()
    defer { server.stop() }
    let store = ["--store", folder.path + "/store", "--quiet"]
    let path = folder.write(text(1), to: "w.json")
    let key = ["--set", "key=sesame-1234"]
    _ = await pipeline(["run", path, "--set", "api=" + server.origin] + key + store)
    _ = folder.write(text(2), to: "w.json")
    let without = await pipeline(["resume", "--settle", "pay=again"] + store)
    #expect(without.status == .invalid, "\(without.error)")
    let resumed = await pipeline(["resume", "--settle", "pay=again"] + key + store)
    #expect(resumed.status == .success, "\(resumed.error)")
    #expect(server.records.requests.count { $0.method == "POST" } == 2)
  }

  // MARK: Journals of version 0.2.0

  /// They kept neither requests nor answers. The digests are the same, or each POST would be asked
  /// about.
  @Test func anOlderJournalIsGoneOnWith() async throws {
    let folder = TemporaryFolder()
    let store = try OldJournal.write(to: folder)
    let plan = await pipeline(["resume", "--plan"] + store)
    #expect(
      plan.output.contains("  order  2 taken\n  bill            1 in doubt\n"), "\(plan.output)")
    let listed = await pipeline(["resume"] + store)
    #expect(listed.status == .inDoubt)
    #expect(
      listed.error.contains("bill  POST http://127.0.0.1:18733/echo  sent at"), "\(listed.error)")
    let short = await pipeline(["resume", "--settle", "bill=done"] + store)
    #expect(short.status == .usage)
    #expect(short.error.contains("needs what the step extracts: number"), "\(short.error)")
    let empty = await pipeline(["resume", "--settle", "bill=done", "--values", "{}"] + store)
    #expect(empty.error.contains("--values lacks what step 'bill' extracts: number"))
    let resumed = await pipeline(["resume", "--settle", #"bill={"number": 1}"#] + store)
    #expect(resumed.status == .success, "\(resumed.error)")
    #expect(resumed.output.contains("ann"))
  }

  @Test func whatAnOlderJournalHasIsNotSentAgainEither() async throws {
    let folder = TemporaryFolder()
    let store = try OldJournal.write(to: folder)
    _ = folder.write(OldJournal.workflow(extract: "$.path"), to: "w.json")
    let listed = await pipeline(["resume", "--settle", "bill=skip"] + store)
    #expect(listed.status == .inDoubt, "\(listed.error)")
    #expect(
      listed.error.contains("customer: ben  carried out by an older version"), "\(listed.error)")
    let resumed = await pipeline(["resume", "--settle", #"order[*]={"body": "x"}"#] + store)
    #expect(resumed.status == .success, "\(resumed.error)")
    #expect(resumed.output.filter { !$0.isWhitespace } == #"{"orders":["x","x"]}"#)
  }
}
