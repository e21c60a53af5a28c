internal import PipelineByteText

/// A runtime expression of Arazzo, such as `$steps.login.outputs.token#/id` (Arazzo 1.0.1 §4.9).
struct ArazzoExpression {
  enum Root: Equatable {
    case input(String)
    case output(step: String, name: String)
    /// An output of the workflow that the step calls.
    case calledOutput(String)
    case body
    case header(String)
    case status
    case url
    case method
  }

  let root: Root
  /// The tokens of the JSON pointer after `#`.
  let pointer: [String]

  /// - Returns: `nil` if the text is no expression, or one that has no counterpart.
  init?(_ text: String) {
    guard text.hasPrefix(bytes: "$") else { return nil }
    let whole = String(text.prefix(before: "#"))
    let fragment = text.dropFirst(bytes: whole.utf8.count)
    if fragment.isEmpty {
      pointer = []
    } else {
      guard fragment.hasPrefix(bytes: "#/") else { return nil }
      pointer = fragment.dropFirst(bytes: 2).split(
        ascii: "/", omittingEmptySubsequences: false
      ).map {
        String($0).replacing(bytes: "~1", with: "/").replacing(bytes: "~0", with: "~")
      }
    }
    switch whole {
    case "$response.body": root = .body
    case "$statusCode": root = .status
    case "$url": root = .url
    case "$method": root = .method
    default:
      guard let root = Self.named(whole) else { return nil }
      self.root = root
    }
  }

  private static func named(_ text: String) -> Root? {
    func rest(_ prefix: String) -> String? {
      guard text.hasPrefix(bytes: prefix), text.utf8.count > prefix.utf8.count else { return nil }
      return String(text.dropFirst(bytes: prefix.utf8.count))
    }
    if let name = rest("$inputs.") { return .input(name) }
    if let name = rest("$outputs.") { return .calledOutput(name) }
    if let name = rest("$response.header.") { return .header(name) }
    guard let path = rest("$steps."), let middle = path.firstRange(bytes: ".outputs.") else {
      return nil
    }
    let name = String(path[middle.upperBound...])
    let step = String(path[..<middle.lowerBound])
    return name.isEmpty || step.isEmpty ? nil : .output(step: step, name: name)
  }

  /// The pointer as the end of a query: `.items[0]['a b']`.
  static func query(_ pointer: [String]) -> String {
    pointer.map { token in
      if !token.isEmpty, token.utf8.allSatisfy(ASCIISet.digits.contains) { return "[\(token)]" }
      let isPlain =
        token.utf8.allSatisfy(plain.contains) && token.utf8.first.map(starts.contains) == true
      if isPlain { return "." + token }
      return "['" + token.replacing(bytes: "\\", with: "\\\\").replacing(bytes: "'", with: "\\'")
        + "']"
    }.joined()
  }

  private static let starts = ASCIISet.letters.union(ASCIISet("_"))
  private static let plain = starts.union(.digits)

  /// The bytes that an expression may have after its `$`, outside of braces.
  static let bytes = plain.union(ASCIISet(".-#/~"))
}
