import PipelineTestSupport

/// A workflow of random steps of many kinds, which can be edited as an author would.
///
/// Each request of a step has a target of its own on the sandbox, so that its server's log tells
/// them apart.
struct RandomWorkflow {
  private enum Kind: CaseIterable {
    case get, post, gets, orders, pages, cursor, job, block, call, choose, save, wait, flaky, keyed
    case token, redirected, moved, put, delete, chain, values, guarded, rounds, attempts
    case states

    /// Whether a step of this kind may stand twice in a file: the server counts jobs.
    var isOnlyOnce: Bool { self == .job }
    /// Whether an author may add an extractor or an expectation here.
    func isEditable(besides isSafe: Bool) -> Bool {
      [.get, .gets, .put].contains(self) || isSafe && [.post, .orders, .keyed].contains(self)
    }
    var hasItems: Bool { [.gets, .orders, .call, .block, .states].contains(self) }
    var hasRows: Bool { hasItems || self == .rounds }
  }

  private struct Step {
    var id: String
    /// Part of its targets: stays when the step gets another name.
    let name: String
    let kind: Kind
    var items: [String] = []
    var extractsMore = false
    var expects = false
    /// The step before it that it reads.
    var source: String?
  }

  private var steps: [Step] = []
  private var header: Int?
  /// How many edits have changed every request.
  var headerChanges: Int { header ?? 0 }
  private var description = 0
  private var nextName = 0
  private var nextItem = 0

  static let called = """
    {"inputs": {"api": {}, "name": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "steps": [
      {"id": "keep", "endpoint": "POST /slow/{{inputs.name}}?ms=3", "body": {"json": {}},
       "extract": {"id": "$.id"}},
      {"id": "look", "endpoint": "GET /slow/look-{{keep.id}}?ms=3", "extract": {"id": "$.id"}}],
     "outputs": {"id": "{{look.id}}"}}
    """

  init(_ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 4...8, using: &random) { addStep(at: steps.count, &random) }
    // Something that must not be sent twice.
    addStep(.orders, at: Int.random(in: 0...steps.count, using: &random), &random)
  }

  // MARK: Text

  var text: String {
    let defaults =
      header.map { #""baseURL": "{{inputs.api}}", "headers": {"X-Trace": "\#($0)"}"# }
      ?? #""baseURL": "{{inputs.api}}""#
    let outputs = steps.filter { $0.kind != .wait }.map { step in
      step.kind.hasRows
        ? #""\#(step.id)": "$.\#(step.id)[*].id""# : #""\#(step.id)": "{{\#(step.id).id}}""#
    }
    return """
      {"name": "random", "description": "version \(description)",
       "inputs": {"api": {}, "secret": {"secret": true}},
       "state": {"runs": {"type": "integer", "default": 0, "next": 7}},
       "defaults": {\(defaults)}, "limits": {"concurrency": 3}, "steps": [
        \(steps.map(Self.text).joined(separator: ",\n  "))],
       "finally": [{"id": "bye", "endpoint": "DELETE /slow/bye?ms=3"}],
       "outputs": {\(outputs.joined(separator: ", "))}}
      """
  }

  private static func text(_ step: Step) -> String {
    let (id, name) = (step.id, step.name)
    let extract =
      #""extract": {"id": "$.id"\#(step.extractsMore ? #", "copy": "$.id""# : "")}"#
      + (step.expects ? #", "expect": {"status": 200}"# : "")
    let list = "[" + step.items.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    let body = #""body": {"json": {"for": "\#(name)"}}"#
    let rest: String =
      switch step.kind {
      case .get: #""endpoint": "GET /slow/\#(name)?ms=3", \#(extract)"#
      case .post: #""endpoint": "POST /slow/\#(name)?ms=3", \#(body), \#(extract)"#
      case .gets:
        #""forEach": \#(list), "endpoint": "GET /slow/\#(name)-{{item}}?ms=3", \#(extract)"#
      case .orders:
        #""forEach": \#(list), "endpoint": "POST /slow/\#(name)-{{item}}?ms=3", \#(body), \#(extract)"#
      case .pages:
        """
        "endpoint": "GET /pages/numbered?per_page=10&page=1&for=\(name)",
        "paginate": {"page": "page", "items": "$.data"}, "extract": {"id": "$.data[*].id"}
        """
      case .cursor:
        """
        "endpoint": "GET /pages/next?per_page=10&for=\(name)",
        "paginate": {"next": "$.next", "items": "$.data"}, "extract": {"id": "$.data[*].id"}
        """
      case .job:
        """
        "steps": [
          {"id": "start", "endpoint": "POST /jobs?polls=3&for=\(name)", "extract": {"id": "$.id"}},
          {"id": "done", "endpoint": "GET /jobs/{{start.id}}",
           "poll": {"until": "@.body.status == 'done'", "every": "4ms", "within": "1m"},
           "extract": {"status": "$.status"}}],
        "outputs": {"id": "{{done.status}}"}
        """
      case .block:
        """
        "forEach": \(list), "as": "parcel", "steps": [
          {"id": "box", "endpoint": "POST /slow/\(name)-{{parcel}}?ms=3", "body": {"json": {}},
           "extract": {"id": "$.id"}},
          {"id": "look", "endpoint": "GET /slow/look-{{box.id}}?ms=3", "extract": {"id": "$.id"}}],
        "finally": [{"id": "close", "endpoint": "DELETE /slow/close-\(name)-{{parcel}}?ms=3"}],
        "outputs": {"id": "{{look.id}}"}
        """
      case .states:
        """
        "forEach": \(list), "as": "parcel",
        "state": {"\(name)": {"by": "{{parcel}}", "default": "none", "next": "{{box.id}}"}},
        "steps": [
          {"id": "box", "endpoint": "POST /slow/\(name)-{{parcel}}?ms=3",
           "body": {"json": {"after": "{{state.\(name)}}"}}, "extract": {"id": "$.id"}}],
        "outputs": {"id": "{{box.id}}"}
        """
      case .call:
        """
        "forEach": \(list), "workflow": "./called.json",
        "inputs": {"api": "{{inputs.api}}", "name": "\(name)-{{item}}"}
        """
      case .choose:
        """
        "choose": [
          {"when": "$.inputs.api == 'other'", "values": {"id": "other"}},
          {"endpoint": "POST /slow/\(name)?ms=3", \(body), "extract": {"id": "$.id"}}]
        """
      case .save:
        #""endpoint": "GET /slow/\#(name)?ms=3", "save": "\#(name).json", "extract": {"id": "$.id"}"#
      case .wait: #""wait": "12ms""#
      case .flaky:
        """
        "endpoint": "GET /flaky/\(name)?fail=1&status=503",
        "retry": {"attempts": 4, "delay": "2ms"}, "extract": {"id": "$.key"}
        """
      case .keyed:
        """
        "endpoint": "POST /slow/\(name)?ms=3", \(body),
        "retry": {"attempts": 3, "delay": "2ms", "unsafe": true}, \(extract)
        """
      case .token:
        """
        "endpoint": "GET /oauth/me?for=\(name)", "auth": {"oauth2": {"tokenURL": "/oauth/token",
         "clientId": "sandbox-client", "clientSecret": "{{inputs.secret}}"}},
        "extract": {"id": "$.client"}
        """
      case .redirected:
        #""endpoint": "GET /redirect/to?url=/slow/\#(name)?ms=3", "extract": {"id": "$.id"}"#
      case .moved:
        """
        "endpoint": "POST /redirect/to?status=307&url=/slow/\(name)?ms=3", \(body),
        "extract": {"id": "$.id"}
        """
      case .put: #""endpoint": "PUT /slow/\#(name)?ms=3", \#(body), \#(extract)"#
      case .delete: #""endpoint": "DELETE /slow/\#(name)?ms=3", "extract": {"id": "$.id"}"#
      case .chain:
        """
        "endpoint": "POST /slow/\(name)?ms=3", "extract": {"id": "$.id"},
        "body": {"json": {"after": "{{\(step.source ?? "").id}}"}}
        """
      case .rounds:
        """
        "repeat": {
          "carry": {"n": {"default": 0, "next": {"$sum": ["{{n}}", 1]}}, "last": "{{look.id}}"},
          "until": "{{n}} >= 2", "maxRounds": 9, "every": "3ms"},
        "steps": [
          {"id": "box", "endpoint": "POST /slow/\(name)-{{n}}?ms=3",
           "body": {"json": {"after": "{{last}}"}}, "extract": {"id": "$.id"}},
          {"id": "look", "endpoint": "GET /slow/look-{{box.id}}?ms=3", "extract": {"id": "$.id"}}],
        "finally": [{"id": "close", "endpoint": "DELETE /slow/close-\(name)-{{n}}?ms=3"}],
        "outputs": {"id": "{{look.id}}"}
        """
      case .attempts:
        """
        "retry": {"attempts": 5, "on": [503], "delay": "2ms"},
        "steps": [
          {"id": "old", "endpoint": "GET /slow/old-\(name)?ms=3", "extract": {"id": "$.id"}},
          {"id": "try", "endpoint": "GET /flaky/\(name)?fail=2&status=503&for={{old.id}}",
           "extract": {"key": "$.key"}},
          {"id": "box", "endpoint": "POST /slow/\(name)?ms=3",
           "body": {"json": {"for": "{{try.key}}"}}, "extract": {"id": "$.id"}}],
        "outputs": {"id": "{{box.id}}"}
        """
      case .values: #""values": {"id": "{{\#(step.source ?? "").id}} and more"}"#
      case .guarded:
        """
        "endpoint": "GET /status/404?for=\(name)", "extract": {"id": "$.status"},
        "onError": {"recover": ["status"]}, "otherwise": {"id": "none"}
        """
      }
    return #"{"id": "\#(id)", \#(rest)}"#
  }

  /// What a unit extracts from the answer to a request that must not be sent twice.
  func values(of unit: String, from target: String) -> String {
    if target.hasPrefix("/jobs") { return #"{"id": 1}"# }
    let name = target.dropFirst("/slow/".count).prefix { $0 != "?" }
    let id = unit.prefix { $0 != "[" && $0 != "." }
    let extractsMore = steps.first { $0.id == id }?.extractsMore ?? false
    return #"{"id": "\#(name)"\#(extractsMore ? #", "copy": "\#(name)""# : "")}"#
  }

  // MARK: Edits

  /// Changes the file as an author would between two processes of a run. Returns what was done.
  ///
  /// - Parameter all: Whether requests that must not be sent twice are changed, too.
  mutating func edit(_ random: inout SeededGenerator, all: Bool) -> String {
    let editable = steps.indices.filter { steps[$0].kind.isEditable(besides: all) }
    let collections = steps.indices.filter { steps[$0].kind.hasItems && !steps[$0].items.isEmpty }
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      guard let step = editable.randomElement(using: &random) else { return "nothing" }
      steps[step].extractsMore = true
      return "'\(steps[step].id)' extracts more"
    case 1:
      guard all else { return "nothing" }
      header = (header ?? 0) + 1
      return "a header"
    case 2:
      guard let step = editable.randomElement(using: &random) else { return "nothing" }
      steps[step].expects = true
      return "'\(steps[step].id)' expects"
    case 3:
      guard let step = collections.randomElement(using: &random) else { return "nothing" }
      let place = Int.random(in: 0...steps[step].items.count, using: &random)
      steps[step].items.insert(newItem(), at: place)
      return "'\(steps[step].id)' has one more item"
    case 4:
      guard let step = collections.randomElement(using: &random), steps[step].items.count > 1
      else { return "nothing" }
      steps[step].items.remove(at: Int.random(in: 0..<steps[step].items.count, using: &random))
      return "'\(steps[step].id)' has one item less"
    case 5:
      guard let step = collections.randomElement(using: &random) else { return "nothing" }
      steps[step].items.shuffle(using: &random)
      return "'\(steps[step].id)' has its items in another order"
    case 6:
      addStep(at: steps.count, &random)
      return "a new step"
    case 7:
      // A step that got another name is another step, so only one that may be sent again.
      guard
        let step = steps.indices.filter({ [.get, .gets, .put].contains(steps[$0].kind) })
          .randomElement(using: &random)
      else { return "nothing" }
      let (old, new) = (steps[step].id, steps[step].id + "x")
      steps[step].id = new
      for index in steps.indices where steps[index].source == old { steps[index].source = new }
      return "'\(old)' is '\(new)'"
    default:
      description += 1
      return "the description"
    }
  }

  private mutating func newItem() -> String {
    nextItem += 1
    return "i\(nextItem)"
  }

  private mutating func addStep(at place: Int, _ random: inout SeededGenerator) {
    let kinds = Kind.allCases.filter { kind in
      !kind.isOnlyOnce || !steps.contains { $0.kind == kind }
    }
    addStep(kinds.randomElement(using: &random) ?? .get, at: place, &random)
  }

  private mutating func addStep(_ kind: Kind, at place: Int, _ random: inout SeededGenerator) {
    nextName += 1
    var kind = kind
    let sources = steps.filter { [.get, .post, .put, .keyed].contains($0.kind) }
    if [.chain, .values].contains(kind), sources.isEmpty { kind = .post }
    var step = Step(id: "s\(nextName)", name: "n\(nextName)", kind: kind)
    if kind.hasItems {
      for _ in 0..<Int.random(in: 1...5, using: &random) { step.items.append(newItem()) }
    }
    if [.chain, .values].contains(kind) { step.source = sources.randomElement(using: &random)?.id }
    steps.insert(step, at: place)
  }
}
