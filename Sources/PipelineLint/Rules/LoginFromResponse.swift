import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A login that is known only when a response is there, although a person makes it before.
enum LoginFromResponse: LintRule {
  static let explanation = Explanation(
    "login-from-response", .error, PackageResources.login_from_response_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    context.requests(withForeign: .login) { $0.login?.uses.map(\.query) ?? [] }
      .compactMap { request, query in
        guard let use = request.login?.uses.first(where: { $0.query == query }) else { return nil }
        var finding = finding(
          "a person logs in before the run, so no response can be a part of the login; use an input",
          at: use.range)
        finding.isInherited = request.auth?.isInherited ?? false
        return finding
      }
  }
}
