import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

extension ExpectedRun: DeclaredObject {
  /// The expectation of a test that states none.
  static let usual = {
    var keys = Keys.absent
    return ExpectedRun(&keys)
  }()

  init(_ keys: inout Keys) {
    status = keys.optional(
      "status", .written(.choice(Status.self)), "How the run ends.",
      standard: "\"\(Status.succeeded.rawValue)\"", example: #""failed""#, foreign: ["outcome"])
    outputs = keys.optional(
      "outputs", JSONObjectType(wanted: "an object of outputs"),
      "Outputs, or parts of them, that the run must return.", example: #"{"total": 2}"#,
      foreign: ["output result results"])
    isExact = keys.value(
      "exactly", .boolean, default: false, "Whether the outputs must have no other values.",
      example: "true", beside: ["outputs"],
      foreign: [.says("exact strict", "write 'exactly': true", as: "true")])
    state = keys.optional(
      "state", JSONObjectType(wanted: "an object of values"),
      "Values, or parts of them, that the run must leave to the next one.",
      example: #"{"since": "2026-01-31"}"#)
    files = keys.optional(
      "files", JSONObjectType(wanted: "an object with contents by path"),
      "Files that the run must save, by path: the whole text, or parts of a JSON value.",
      example: #"{"users/7.json": {"id": 7}}"#)
    conditions =
      keys.optional(
        "where", ConditionsType(),
        "Conditions on `$.outputs`, `$.state`, `$.files`, `$.requests`, `$.steps`, `$.failures`,"
          + " `$.said`, `$.questions` and `$.elapsed`.",
        example: #"["count($.requests.user[*]) == 3"]"#,
        foreign: ["assert asserts assertions conditions checks that"]) ?? []
    failures =
      keys.optional(
        "failures", FailuresType(), "Failures that the run must have.",
        example: #"[{"step": "list", "kind": "network"}]"#,
        foreign: ["failure error errors"]) ?? []
  }
}

/// Conditions on what came of a run.
private struct ConditionsType: ValueType {
  var description: LanguageType { .list(.condition) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [Written<Condition>]? {
    decoder.elements(of: node, name, "a list of conditions")?.compactMap { node in
      guard let text = node.string else {
        decoder.mistyped(node, name, "a condition such as \"$.elapsed < 60\"")
        return nil
      }
      switch Condition.parse(text) {
      case .success(let condition):
        decoder.checkNames(of: condition, in: node)
        return Written(condition, at: node)
      case .failure(let error):
        decoder.report(error, .condition, in: node)
        return nil
      }
    }
  }
}

extension WorkflowDecoder {
  /// The reads of a test's conditions.
  static let testScope = [
    "outputs", "state", "files", "requests", "steps", "failures", "said", "questions", "elapsed",
    "status",
  ]

  fileprivate mutating func checkNames(of condition: Condition, in node: JSONNode) {
    // It would be absent, and a comparison with '!=' would always hold.
    for query in ConditionWalk(condition.expression).queries where query.anchor == .current {
      let path = "$" + query.text.dropFirst(bytes: 1)
      report(
        "unknown-reference", "'@' has no value in a test's conditions; write '\(path)'",
        at: node.sourceRange(ofDecoded: query.range),
        fix: Self.fix(path, for: query.range, in: node, isSafe: false))
    }
    for reference in condition.references {
      guard let name = reference.query.firstNames.first, !Self.testScope.contains(name) else {
        continue
      }
      let range = node.sourceRange(ofDecoded: reference.range)
      report(
        "unknown-reference",
        "'\(reference.query.text)' reads '\(name)', which a test does not have",
        .didYouMean(
          Spelling.nearest(to: name, among: Self.testScope),
          at: document.bytes.place(ofName: name, in: range)),
        at: range)
    }
  }
}

private struct FailuresType: ValueType {
  var description: LanguageType { .list(.object(.expectedFailure)) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [ExpectedRun.Failure]? {
    decoder.elements(of: node, name, "a list of failures")?.compactMap { node in
      decoder.fields(of: node, .expectedFailure, .key(name)).flatMap { fields in
        decoder.reading(fields) { ExpectedRun.Failure(&$0, at: node.range) }
      }
    }
  }
}

extension ExpectedRun.Failure {
  fileprivate init?(_ keys: inout Keys, at range: Range<Int>) {
    let step = keys.required(
      "step", .written(.text), "The step.", example: #""list""#, foreign: ["id"])
    item = keys.optional(
      "item", .integer(atLeast: 0), "The position of the item.", example: "0",
      foreign: ["index"])
    kind = keys.optional(
      "kind", FailureKindType(), "What went wrong.", example: #""network""#,
      foreign: ["type reason"])
    status = keys.optional(
      "status", .integer(atLeast: 100), "The status code.", example: "404",
      foreign: ["statusCode code"])
    message = keys.optional(
      "message", .text, "A part of the message.", example: #""no complete response""#,
      foreign: ["text contains"])
    guard let step else { return nil }
    self.step = step
    self.range = range
  }
}

private struct FailureKindType: ValueType {
  var description: LanguageType { .choice(ExpectedRun.failureKinds) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> String? {
    let kinds = ExpectedRun.failureKinds
    guard let kind = decoder.text(node, name) else { return nil }
    if kinds.contains(kind) { return kind }
    decoder.report(
      .invalidValue,
      "'\(name)' must be one of \(WorkflowDecoder.options(kinds)), not \"\(kind)\"",
      .nearest(to: kind, among: kinds, inQuotesAt: node.range), at: node.range)
    return nil
  }
}

extension LanguageObject {
  /// The expected result of a test.
  static let expected = LanguageObject(
    .expected, "expectation", place: "in 'expect'", of: ExpectedRun.self)

  /// A failure that a run must have.
  static let expectedFailure = LanguageObject(
    .expectedFailure, "failure", place: "in 'failures'"
  ) { _ = ExpectedRun.Failure(&$0, at: 0..<0) }
}
