import SourceText
import Templates

/// An endpoint whose path has an empty segment.
enum DoubleSlash: LintRule {
  static let explanation = Explanation(
    "double-slash", .warning,
    what: "The path of an endpoint holds `//`.",
    why: """
      For most servers `/users//1` is another address than `/users/1`, and not found. A base URL \
      and a path are joined with one slash, whatever they end and begin with.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com//users"
          }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users"
          }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request,
      let place = Self.doubleSlash(
        in: request.endpoint.value.text.utf8, request.endpoint.value.urlRange),
      !request.endpoint.value.url.isRelative || !request.endpoint.value.url.text.hasPrefix("//")
    else { return }
    let range = request.endpoint.range(of: place)
    found.append(
      finding(
        "the path has an empty segment; write one '/'", at: range,
        fix: Fix(message: "write one '/'", edits: [Fix.Edit(range: range, replacement: "/")])))
  }

  /// The first `//` of the path; a scheme's own and those of the query do not count.
  private static func doubleSlash(in text: String.UTF8View, _ url: Range<Int>) -> Range<Int>? {
    var before: UInt8 = 0
    var last: UInt8 = 0
    var index = -1
    for byte in text {
      index += 1
      if index < url.lowerBound { continue }
      if index >= url.upperBound || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") {
        return nil
      }
      if byte == UInt8(ascii: "/"), last == byte, before != UInt8(ascii: ":") {
        // 'https//host' lacks a colon, and has no slash too many.
        let first = text.dropFirst(url.lowerBound).prefix(index - 1 - url.lowerBound)
        return first.elementsEqual("https".utf8) || first.elementsEqual("http".utf8)
          ? nil : index - 1..<index + 1
      }
      (before, last) = (last, byte)
    }
    return nil
  }
}
