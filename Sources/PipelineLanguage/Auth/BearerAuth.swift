import PipelineByteText
import PipelineJSONText
import PipelineSourceText
package import PipelineTemplates

/// A token (RFC 6750).
package struct BearerAuth: AuthForm {
  /// The token; `nil` if it is made of the final request.
  package let token: Written<Template>?
  /// What makes the token of the final request.
  package let signature: RequestSignature?

  init?(_ keys: inout Keys) {
    let token = keys.optional(
      "bearer", TokenType(), "A token, sent as `Authorization: Bearer …` (RFC 6750).",
      example: #""{{login.token}}""#, foreign: ["token bearerToken accessToken jwt"])
    switch token {
    case nil: return nil
    case .text(let text):
      self.token = text
      signature = nil
    case .form(let form):
      self.token = nil
      signature = RequestSignature(headers: [
        RequestSignature.Field("Authorization", prefix: "Bearer ", form, at: form.node)
      ])
    }
  }

  package func forEachPart(_ visit: (StepPart) -> Void) {
    if let token { visit(.text(token, .credential)) }
    signature?.forEachPart(visit)
  }
  package var needed: [[Written<Template>]] { token.map { [[$0]] } ?? [] }
  package var secrets: [Written<Template>] { token.map { [$0] } ?? [] }

  package func planText(_ values: PlannedCredentials) -> String {
    let form = signature?.headers.first?.value.node.members.first(where: { _ in true })?.name
    return "bearer " + (token.map(values.secret) ?? form ?? "")
  }
}

/// A text that a header can hold, or a form that gives one.
private struct TokenType: ValueType {
  enum Token {
    case text(Written<Template>)
    case form(DataTemplate)
  }

  var description: LanguageType { .either([.template, .form]) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Token? {
    if node.kind == .object, node.members.contains(where: { $0.name.hasPrefix(bytes: "$") }) {
      return .form(decoder.credential(node))
    }
    if node.kind == .object {
      let text = (node["token"] ?? node["value"])?.string
      let isTemplate = text.map { Template.parse($0).template.whole != nil } ?? false
      decoder.mistyped(
        node, name, "a text",
        hint: isTemplate
          ? Proposal(
            "; write \"\(name)\": \"\(text ?? "")\"",
            fix: .replacing(node.range, with: "\"\(text ?? "")\"", isSafe: false))
          : "; write the token itself")
      return nil
    }
    decoder.checkCharacters(of: node, .header)
    return decoder.template(node, name, allowsEmpty: false).map { .text($0) }
  }
}
