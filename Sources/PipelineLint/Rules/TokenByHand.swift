import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A token that is fetched by hand although `oauth2` would renew it.
enum TokenByHand: LintRule {
  static let explanation = Explanation("token-by-hand", .note, PackageResources.token_by_hand_md)

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
