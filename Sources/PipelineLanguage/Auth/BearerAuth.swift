import PipelineJSONText
import PipelineSourceText
package import PipelineTemplates

/// A token (RFC 6750).
package struct BearerAuth: AuthForm {
  package let token: Written<Template>

  init?(_ keys: inout Keys) {
    let token = keys.optional(
      "bearer", TokenType(), "A token, sent as `Authorization: Bearer …` (RFC 6750).",
      example: #""{{login.token}}""#, foreign: ["token bearerToken accessToken jwt"])
    guard let token else { return nil }
    self.token = token
  }

  package func forEachPart(_ visit: (StepPart) -> Void) { visit(.text(token, .credential)) }
  package var needed: [[Written<Template>]] { [[token]] }
  package var secrets: [Written<Template>] { [token] }

  package func planText(_ values: PlannedCredentials) -> String {
    "bearer " + values.secret(token)
  }
}

/// A text that a header can hold.
private struct TokenType: ValueType {
  var description: LanguageType { .template }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<Template>? {
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
    return decoder.template(node, name, allowsEmpty: false)
  }
}
