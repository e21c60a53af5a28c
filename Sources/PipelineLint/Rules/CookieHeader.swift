import PipelineByteText
import PipelineLanguage
import PipelineSourceText

/// A header for cookies beside `cookies`.
enum CookieHeader: LintRule {
  static let explanation = Explanation("cookie-header", .warning, PackageResources.cookie_header_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request, !request.cookies.isEmpty else { return }
    for header in request.headers where header.name.equalsIgnoringASCIICase("cookie") {
      found.append(
        finding(
          "'cookies' writes this header itself; write the cookie into 'cookies'",
          at: header.nameRange))
    }
  }
}
