import PipelineByteText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// An endpoint whose path has an empty segment.
enum DoubleSlash: LintRule {
  static let explanation = Explanation("double-slash", .warning, PackageResources.double_slash_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for (request, _) in step.requests { check(request, &found) }
  }

  private static func check(_ request: Request, _ found: inout [Diagnostic]) {
    guard
      let place = Self.doubleSlash(
        in: request.endpoint.value.text, request.endpoint.value.urlRange),
      !request.endpoint.value.url.isRelative
        || !request.endpoint.value.url.text.hasPrefix(bytes: "//")
    else { return }
    // In a store of objects a key may hold an empty segment.
    let host =
      request.endpoint.value.url.text.split(ascii: "/", omittingEmptySubsequences: true).dropFirst()
      .first ?? ""
    let stores = ["s3", "storage", "blob", "r2"]
    guard !host.split(ascii: ".").contains(where: { stores.contains(bytes: $0) }) else { return }
    let range = request.endpoint.range(of: place)
    found.append(
      finding(
        "the path has an empty segment; write one '/'", at: range,
        fix: DiagnosticFix(
          message: "write one '/'", edits: [DiagnosticFix.Edit(range: range, replacement: "/")],
          isSafe: false)))
  }

  /// The first `//` of the path. Those of the scheme and the query do not count.
  private static func doubleSlash(in text: String, _ url: Range<Int>) -> Range<Int>? {
    var text = text
    return text.withUTF8 { text in
      let slash = UInt8(ascii: "/")
      for index in url {
        if text[index] == UInt8(ascii: "?") || text[index] == UInt8(ascii: "#") { return nil }
        guard text[index] == slash, index > url.lowerBound, text[index - 1] == slash else {
          continue
        }
        let before = text[url.lowerBound..<index - 1]
        if before.last == UInt8(ascii: ":") { continue }
        // 'https:///users' lacks its host.
        if before.suffix(2).elementsEqual(":/".utf8) { return nil }
        // 'https//host' lacks a colon, and has no slash too many.
        return before.elementsEqual("https".utf8) || before.elementsEqual("http".utf8)
          ? nil : index - 1..<index + 1
      }
      return nil
    }
  }
}
