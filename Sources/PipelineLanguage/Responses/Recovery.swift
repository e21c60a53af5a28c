import PipelineByteText
import PipelineJSONText
import PipelineSourceText

/// What `onError` says.
struct Recovery: Sendable {
  let onError: FailureEffect
  /// The failures that the step recovers from; `nil` for all of them.
  var causes: [RecoveryCause]?
}

/// A cause that a step recovers from.
package enum RecoveryCause: Sendable, Hashable {
  /// A kind of failure, as `error.kind` names it.
  case kind(String)
  /// A status that was not expected.
  case status(StatusPattern)

  /// The kinds that a step can recover from.
  package static let kinds = [
    "network", "timeout", "status", "expect", "extract", "schema", "limit", "value", "file", "fail",
  ]
}

extension Recovery: DeclaredObject {
  init(_ keys: inout Keys) {
    onError = .recover
    causes = keys.required(
      "recover", RecoveryCausesType(), "The failures that the step recovers from; any other fails.",
      example: #"["network", 404, "5xx", "expect"]"#,
      foreign: ["on catch errors status when"])
    keys.advise([
      .says("otherwise default values fallback", "write 'otherwise' in the step")
    ])
  }
}

extension Keys {
  mutating func recovery() -> Recovery? {
    inherited(
      "onError", RecoveryType(), over: decoder.defaults.recovery,
      "`fail` ends the run; `continue` skips dependent steps, and the run ends as failed;"
        + " `recover` continues with `otherwise`.",
      standard: "\"\(FailureEffect.fail.rawValue)\"", example: #""recover""#,
      foreign: [
        .says(
          "onStatus",
          "write 'onError': {\"recover\": [404]} with 'otherwise'"),
        .says(
          "catch onFailure rescue continueOnError ignoreErrors ignoreError allowFailure"
            + " failOnError errorHandler onException fallback",
          "write 'onError': \"recover\" with 'otherwise', or \"continue\"", as: "\"continue\""),
      ])
  }
}

/// The value of `onError`.
private struct RecoveryType: ValueType {
  var description: LanguageType {
    .either([ChoiceType<FailureEffect>().description, .object(.recovery)])
  }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Recovery? {
    switch node.kind {
    case .object:
      return ObjectType<Recovery>(kind: .recovery).read(node, name, &decoder)
    case .string:
      if Self.isIgnoring(node) {
        decoder.incomplete.insert(node.index)
        decoder.report(
          .invalidValue,
          "'\(name)' has no \(node.text); write \"recover\" with 'otherwise' in the step, or"
            + " \"continue\", after which the run ends as failed", at: node.range,
          fix: .replacing(node.range, with: "\"recover\"", isSafe: false))
        return nil
      }
      let onError: FailureEffect? = decoder.choice(node, name)
      return onError.map { Recovery(onError: $0) }
    default:
      let names = WorkflowDecoder.options(FailureEffect.allCases.map(\.rawValue))
      decoder.mistyped(
        node, name, "one of \(names), or an object such as {\"recover\": [404]}")
      return nil
    }
  }

  /// Whether a word of another tool means that the run goes on as if nothing had failed.
  private static func isIgnoring(_ node: JSONNode) -> Bool {
    let text = node.string ?? ""
    return FailureEffect(rawValue: text) == nil
      && LanguageAliases.value(for: text) == FailureEffect.continue.rawValue
  }
}

private struct RecoveryCausesType: ValueType {
  var description: LanguageType { .several(.either([.choice(RecoveryCause.kinds), .status])) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [RecoveryCause]? {
    guard node.kind == .array, node.count > 0 else {
      decoder.mistyped(
        node, name, "a list such as [\"network\", 404, \"5xx\", \"expect\"]",
        hint: [.string, .number].contains(node.kind)
          ? .write("[\(node.text)]", for: node.range, isSafe: true) : .none)
      return nil
    }
    return node.elements.compactMap { Self.cause($0, name, &decoder) }
  }

  private static func cause(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> RecoveryCause? {
    guard let text = node.string, Quantities.statusClass(text.lowercased()) == nil,
      Int(text) == nil
    else { return decoder.status(node, name).map { .status($0) } }
    if RecoveryCause.kinds.contains(text) { return .kind(text) }
    let isCancelled = text == "cancelled"
    decoder.report(
      .invalidValue,
      isCancelled
        ? "no step recovers from \"cancelled\": the run was stopped"
        : "'\(name)' takes a kind of failure such as \"network\", or a status such as 404 or \"5xx\","
          + " not \"\(text)\"",
      isCancelled
        ? .none
        : WorkflowDecoder.proposal(for: text, among: RecoveryCause.kinds, at: node.range),
      at: node.range)
    return nil
  }
}
