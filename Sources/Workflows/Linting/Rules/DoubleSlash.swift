import SourceText
import Templates

/// An endpoint whose path has an empty segment.
struct DoubleSlash: LintRule {
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

  func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for step in context.steps {
      guard let endpoint = step.request?.endpoint else { continue }
      let bytes = Array(endpoint.value.text.utf8)
      guard let place = Self.doubleSlash(in: bytes, endpoint.value.urlRange) else { continue }
      let range = endpoint.range(of: place)
      found.append(
        finding(
          "the path has an empty segment; write one '/'", at: range,
          fix: Fix(message: "write one '/'", edits: [Fix.Edit(range: range, replacement: "/")])))
    }
    return found
  }

  /// The first `//` of the path; a scheme's own and those of the query do not count.
  private static func doubleSlash(in bytes: [UInt8], _ url: Range<Int>) -> Range<Int>? {
    let slash = UInt8(ascii: "/")
    var index = url.lowerBound
    while index + 1 < url.upperBound {
      if bytes[index] == UInt8(ascii: "?") || bytes[index] == UInt8(ascii: "#") { return nil }
      if bytes[index] == slash, bytes[index + 1] == slash {
        let isScheme = index > url.lowerBound && bytes[index - 1] == UInt8(ascii: ":")
        if !isScheme { return index..<index + 2 }
        index += 1
      }
      index += 1
    }
    return nil
  }
}
