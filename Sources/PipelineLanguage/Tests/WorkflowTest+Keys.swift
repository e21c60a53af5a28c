import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

extension WorkflowTest {
  init?(_ keys: inout Keys, _ node: JSONNode) {
    let name = keys.required(
      "name", .written(.text), "What the test shows, for people.", example: #""two users""#,
      foreign: ["title description it id"])
    let inputs = keys.optional(
      "inputs", JSONObjectType(), "The workflow's inputs.", example: #"{"page": 2}"#,
      foreign: ["input params variables vars with given args set"])
    environment = keys.optional(
      "environment", .written(.text), "The environment of the workflow.",
      example: #""staging""#, foreign: ["env profile"])
    let state = keys.optional(
      "state", JSONObjectType(), "The state that the last run left.",
      example: #"{"since": "2026-01-01"}"#)
    concurrency = keys.optional(
      "concurrency", .integer(atLeast: 1), "How many requests go at once.", example: "4")
    respond =
      keys.optional(
        "respond", RespondType(),
        "Answers by step: one for all of its requests, a list for one after the other, or `items`."
          + " Steps separated by commas share a list.",
        example: #"{"list": {"json": {"total": 0}}}"#,
        foreign: ["responses response mock mocks stub stubs answers answer steps routes"]) ?? []
    respondRange = keys.range(of: "respond")
    replay = keys.optional(
      "replay", .written(.path), "A recording that answers what `respond` does not.",
      example: #""./users.har""#, foreign: ["recording har cassette fixture"])
    orders = keys.value(
      "orders", .integer(atLeast: 1), default: 1,
      "Under how many orders of answers the test is played.", example: "20")
    ignored =
      keys.optional(
        "ignore", QueriesType(), "Parts of answers that `--live` does not compare.",
        example: #"["$.updatedAt"]"#) ?? []
    expected =
      keys.optional(
        "expect", .object(.expected, ExpectedRun.self),
        "What must come of it; by default a run that succeeds.",
        example: #"{"outputs": {"total": 0}}"#,
        foreign: [
          .says("outputs", "write 'expect': {\"outputs\": …}"),
          .says("failures", "write 'expect': {\"failures\": …}"),
          .says("status", "write 'expect': {\"status\": …}"),
          .says("where", "write 'expect': {\"where\": …}"),
          "assert asserts assertions expected expects then should",
        ]) ?? .usual
    guard let name else { return nil }
    self.name = name
    self.node = node
    self.inputs = Self.values(inputs)
    self.state = Self.values(state)
  }

  private static func values(_ object: JSONNode?) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for member in object?.members.map(\.self) ?? [] {
      values[member.name] = JSONValue(member.value)
    }
    return values
  }
}

/// An object of any JSON.
struct JSONObjectType: ValueType {
  var wanted = "an object"

  var description: LanguageType { .map(.json) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> JSONNode? {
    if node.kind == .object { return node }
    decoder.mistyped(node, name, wanted)
    return nil
  }
}

private struct QueriesType: ValueType {
  var description: LanguageType { .list(.bodyQuery) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [Query]? {
    decoder.elements(of: node, name, "a list of queries such as [\"$.updatedAt\"]")?
      .compactMap { decoder.bodyQuery($0, name)?.value }
  }
}
