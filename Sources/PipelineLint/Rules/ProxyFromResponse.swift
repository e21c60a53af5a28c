import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A proxy that a response names.
enum ProxyFromResponse: LintRule {
  static let explanation = Explanation(
    "proxy-from-response", .error, PackageResources.proxy_from_response_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    context.requests(withForeign: .proxy) { $0.proxy?.value.references.map(\.query) ?? [] }
      .compactMap { request, _ in
        request.proxy.map { proxy in
          finding(
            "a response decides the proxy, which sees where all requests go; name it in the file or"
              + " by an input", at: proxy.range)
        }
      }
  }
}
