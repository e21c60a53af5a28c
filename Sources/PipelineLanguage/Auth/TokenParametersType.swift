import PipelineByteText
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// The parameters of a token request that are not keys of `oauth2`.
struct TokenParametersType: ValueType {
  /// What the keys of `oauth2` send, and by which key.
  private static let own = [
    ("client_id", "'clientId' sends it"), ("client_secret", "'clientSecret' sends it"),
    ("scope", "'scopes' sends it"), ("refresh_token", "'refreshToken' sends it"),
    ("client_assertion", "'clientAuth' sends it"),
    ("client_assertion_type", "'clientAuth' sends it"), ("grant_type", "'grant' sends it"),
    ("redirect_uri", "'redirectURL' sends it"), ("response_type", "a login sends it"),
    ("code", "a login sends it"), ("state", "a login sends it"),
    ("code_verifier", "a login sends it"), ("code_challenge", "a login sends it"),
    ("code_challenge_method", "a login sends it"), ("device_code", "a login sends it"),
  ]

  var description: LanguageType { FieldsType().description }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [RequestParameter]? {
    guard decoder.isMap(node, name, "an object of names and values", mayBePairs: true) else {
      return nil
    }
    return node.members.map { member in
      let parameter = decoder.tokenParameter(member)
      check(parameter, member, in: node, &decoder)
      return parameter
    }
  }

  private func check(
    _ parameter: RequestParameter, _ member: JSONMember, in node: JSONNode,
    _ decoder: inout WorkflowDecoder
  ) {
    if let own = Self.own.first(where: { parameter.name.equals(bytes: $0.0) }) {
      decoder.report(
        .conflictingKeys, "\(own.1); a parameter of this name would be sent twice",
        at: parameter.nameRange,
        fix: node.removing(member).map {
          DiagnosticFix(message: "remove it", edits: [$0], isSafe: false)
        })
    }
    if parameter.value.requestParts.contains(.body) {
      decoder.report(
        .invalidValue, "'request.body' is made of the parameters, so none can hold it",
        at: member.value.range)
    }
  }
}

extension WorkflowDecoder {
  /// A parameter, whose value may be made when the request is sent: an assertion has a lifetime.
  fileprivate mutating func tokenParameter(_ member: JSONMember) -> RequestParameter {
    if member.value.kind == .object, member.value["value"] != nil {
      return styledParameter(member)
    }
    return RequestParameter(
      name: member.name, nameRange: member.nameRange, value: credential(member.value),
      node: member.value)
  }
}
