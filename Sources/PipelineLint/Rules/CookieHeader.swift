import PipelineByteText
import PipelineLanguage
import PipelineSourceText

/// A header for cookies beside `cookies`.
enum CookieHeader: LintRule {
  static let explanation = Explanation(
    "cookie-header", .warning,
    what: "A step sets both a `Cookie` header and `cookies`.",
    why: """
      `cookies` writes the `Cookie` header itself. A request has one such header (RFC 6265, \
      section 5.4). Write all cookies into `cookies`.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "me",
            "endpoint": "GET https://api.example.com/me",
            "headers": { "Cookie": "lang=de" },
            "cookies": { "theme": "dark" }
          }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "me",
            "endpoint": "GET https://api.example.com/me",
            "cookies": { "lang": "de", "theme": "dark" }
          }
        ]
      }
      """)

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
