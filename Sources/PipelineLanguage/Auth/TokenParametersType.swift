import PipelineByteText
import PipelineJSONText
import PipelineSourceText

/// The parameters of a token request that are not keys of `oauth2`.
struct TokenParametersType: ValueType {
  /// What the keys of `oauth2` send, and by which key.
  private static let own = [
    ("client_id", "'clientId' sends it"), ("client_secret", "'clientSecret' sends it"),
    ("scope", "'scopes' sends it"), ("refresh_token", "'refreshToken' sends it"),
    ("grant_type", "the run sends it by itself"),
  ]

  var description: LanguageType { FieldsType().description }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [Request.Parameter]? {
    guard let parameters = FieldsType().read(node, name, &decoder) else { return nil }
    for parameter in parameters {
      guard let own = Self.own.first(where: { parameter.name.equals(bytes: $0.0) }) else {
        continue
      }
      let member = node.members.first { $0.nameRange == parameter.nameRange }
      decoder.report(
        .conflictingKeys, "\(own.1); a parameter of this name would be sent twice",
        at: parameter.nameRange,
        fix: member.flatMap { node.removing($0) }.map {
          DiagnosticFix(message: "remove it", edits: [$0], isSafe: false)
        })
    }
    return parameters
  }
}
