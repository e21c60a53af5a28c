internal import PipelineByteText

/// A runtime expression of Arazzo, such as `$steps.login.outputs.token#/id` (Arazzo 1.0.1 §4.9).
struct ArazzoExpression {
  enum Root: Equatable {
    case input(String)
    case output(step: String, name: String)
    /// An output of the workflow that the step calls.
    case calledOutput(String)
    /// An output of a workflow that this one depends on.
    case workflowOutput(workflow: String, name: String)
    /// What the step itself sends: a `header`, `query` or `path` parameter.
    case sent(place: String, name: String)
    case sentBody
    case body
    case header(String)
    case status
    case url
    case method
  }

  var root: Root
  /// The tokens of the JSON pointer after `#`.
  var pointer: [String]

  /// - Returns: `nil` if the text is no expression, or one that has no counterpart.
  init?(_ text: String) {
    guard text.hasPrefix(bytes: "$") else { return nil }
    let whole = String(text.prefix(before: "#"))
    if whole.hasPrefix(bytes: "$response.body."), whole.utf8.count == text.utf8.count {
      // Many write a dot for the pointer.
      let names = whole.dropFirst(bytes: "$response.body.".utf8.count)
      root = .body
      pointer = names.split(ascii: ".").map { String($0) }
      return
    }
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
    case "$request.body": root = .sentBody
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
    for place in ["header", "query", "path"] {
      if let name = rest("$request.\(place).") { return .sent(place: place, name: name) }
    }
    if let path = rest("$workflows."), let (workflow, name) = parts(path) {
      return .workflowOutput(workflow: workflow, name: name)
    }
    guard let path = rest("$steps."), let (step, name) = parts(path) else { return nil }
    return .output(step: step, name: name)
  }

  /// The names around `.outputs.`.
  private static func parts(_ path: String) -> (owner: String, name: String)? {
    guard let middle = path.firstRange(bytes: ".outputs.") else { return nil }
    let owner = String(path[..<middle.lowerBound])
    let name = String(path[middle.upperBound...])
    return owner.isEmpty || name.isEmpty ? nil : (owner, name)
  }

  /// The output of the called workflow that it reads in the step that calls it.
  func calledOutput(ofStep id: String) -> String? {
    switch root {
    case .calledOutput(let name): name
    case .output(let step, let name): step.equals(bytes: id) ? name : nil
    default: nil
    }
  }

  /// The same expression with the first of the names behind a dot as its name, and the others as a
  /// pointer: many write `$inputs.customer.name` for `$inputs.customer#/name`.
  var dotted: ArazzoExpression? {
    func split(_ name: String) -> (String, [String])? {
      let names = name.split(ascii: ".").map { String($0) }
      return names.count > 1 && pointer.isEmpty ? (names[0], Array(names.dropFirst())) : nil
    }
    var copy = self
    switch root {
    case .input(let name):
      guard let (first, rest) = split(name) else { return nil }
      (copy.root, copy.pointer) = (.input(first), rest)
    case .output(let step, let name):
      guard let (first, rest) = split(name) else { return nil }
      (copy.root, copy.pointer) = (.output(step: step, name: first), rest)
    default: return nil
    }
    return copy
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
