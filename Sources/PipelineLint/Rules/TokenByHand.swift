import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A token that is fetched by hand although `oauth2` would renew it.
enum TokenByHand: LintRule {
  static let explanation = Explanation(
    "token-by-hand", .note,
    what: "A step fetches an OAuth 2.0 token itself.",
    why: """
      That works. But a token that expires during the run is not renewed, and each run writes \
      the token into a value. `oauth2` fetches a token once, shares it between steps, and renews \
      it.
      """,
    bad: """
      {
        "inputs": { "key": { "type": "string", "secret": true } },
        "steps": [
          {
            "id": "login",
            "endpoint": "POST https://id.example.com/token",
            "body": {
              "form": {
                "grant_type": "client_credentials",
                "client_id": "shop",
                "client_secret": "{{inputs.key}}"
              }
            },
            "extract": { "token": { "body": "$.access_token", "secret": true } }
          },
          {
            "id": "me",
            "endpoint": "GET https://api.example.com/me",
            "auth": { "bearer": "{{login.token}}" }
          }
        ]
      }
      """,
    good: """
      {
        "inputs": { "key": { "type": "string", "secret": true } },
        "steps": [
          {
            "id": "me",
            "endpoint": "GET https://api.example.com/me",
            "auth": {
              "oauth2": {
                "tokenURL": "https://id.example.com/token",
                "clientId": "shop",
                "clientSecret": "{{inputs.key}}"
              }
            }
          }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard case .form(let fields)? = step.request?.body?.content,
      let grant = fields.first(where: { $0.name == "grant_type" })?.value.literal?.string,
      ["client_credentials", "refresh_token"].contains(bytes: grant),
      !fields.contains(where: { $0.name == "client_secret" && $0.value.uses.isEmpty })
    else { return }
    found.append(
      finding(
        "\"auth\": {\"oauth2\": …} fetches this token and renews it", at: step.step.id.range))
  }
}
