import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A relative endpoint that begins with a host.
enum HostInPath: LintRule {
  static let explanation = Explanation("host-in-path", .warning, PackageResources.host_in_path_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for (request, _) in step.requests { check(request, &found) }
  }

  private static func check(_ request: Request, _ found: inout [Diagnostic]) {
    guard request.baseURL != nil else { return }
    let url = request.endpoint.value.url
    guard url.isRelative, isHost(url.text.prefix(before: "/", "?")), url.text.contains(bytes: "/")
    else { return }
    let range = request.endpoint.range(of: request.endpoint.value.urlRange)
    found.append(
      finding(
        "'\(url.text)' is a path here, since it has no scheme; write 'https://\(url.text)'",
        at: range,
        fix: .inserting("https://", at: range.lowerBound, "write 'https://\(url.text)'")))
  }

  /// Whether a segment of a path can only be a host: `users.json` and `v1.0` are none.
  private static func isHost(_ segment: some StringProtocol) -> Bool {
    let labels = String(segment).split(ascii: ".")
    guard labels.count > 1, let last = labels.last, !segment.utf8.contains(UInt8(ascii: "{")) else {
      return false
    }
    return domains.contains(String(last).lowercasedASCII)
  }

  private static let domains: Set<String> = [
    "com", "org", "net", "io", "dev", "app", "ai", "cloud", "co", "eu", "uk", "us", "de", "fr",
    "nl",
    "ch", "at", "ca", "au", "jp", "cn", "in", "br", "edu", "gov", "example", "local", "internal",
    "localhost",
  ]
}
