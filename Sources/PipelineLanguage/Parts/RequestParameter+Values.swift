internal import PipelineByteText
internal import PipelineHTTPTerms
package import PipelineJSONText
internal import PipelineTemplates

/// The texts that a value of a member of `query`, `headers`, `cookies` or a form comes to.
///
/// A value that is absent or `null` is left out. A list repeats the name, or is joined according to
/// its style (OpenAPI 3.1, "Style Values").
extension RequestParameter {
  /// Why a value does not fit: one phrase that never shows it.
  package struct Problem: Error, Hashable, Sendable {
    package let message: String
  }

  /// Names and values for a URL's query or a form, encoded.
  ///
  /// - Parameter encode: Encodes a text of the author or of a value. The commas that join several
  ///   of the style `form` stay (RFC 6570 §3.2.8).
  package func pairs(
    of value: JSONNode?, encodedBy encode: (String) -> String
  ) throws(Problem) -> [(name: String, value: String)] {
    guard let value, !value.isNull else { return [] }
    let name = encode(self.name)
    let separator = style.name == .form ? "," : encode(self.separator)
    switch value.kind {
    case .array:
      let items = try value.elements.filter { !$0.isNull }.map { item throws(Problem) in
        encode(try text(item, in: value, wayOut: bracketed("[0][key]")))
      }
      if style.explode { return items.map { (name, $0) } }
      return items.isEmpty ? [] : [(name, items.joined(separator: separator))]
    case .object:
      let members = try value.members.filter { !$0.value.isNull }.map {
        member throws(Problem) in
        let text = try text(member.value, in: value, wayOut: bracketed("[key][key]"))
        return (name: member.name, value: encode(text))
      }
      if style.name == .deepObject {
        return members.map { (encode("\(self.name)[\($0.name)]"), $0.value) }
      }
      if style.explode { return members.map { (encode($0.name), $0.value) } }
      return members.isEmpty
        ? []
        : [(name, members.flatMap { [encode($0.name), $0.value] }.joined(separator: separator))]
    default:
      return [(name, encode(try text(value)))]
    }
  }

  /// The values of a header. A list repeats it.
  package func headerValues(of value: JSONNode?) throws(Problem) -> [String] {
    try values(of: value) { FieldValue.problem(in: $0)?.phrase }
  }

  /// The values of a cookie. A list repeats it.
  package func cookieValues(of value: JSONNode?) throws(Problem) -> [String] {
    try values(of: value) { text in
      switch FieldValue.problem(in: text) {
      case .controlCharacter: "has a control character, which a cookie must not hold"
      case .blankAtEnd: FieldValue.Problem.blankAtEnd.phrase
      case nil where text.contains(bytes: "\t"):
        "has a control character, which a cookie must not hold"
      case nil: text.contains(bytes: ";") ? "has a ';', which would begin another cookie" : nil
      }
    }
  }

  private func values(
    of value: JSONNode?, refusing problem: (String) -> String?
  ) throws(Problem) -> [String] {
    guard let value, !value.isNull else { return [] }
    let items = value.kind == .array ? Array(value.elements) : [value]
    var texts: [String] = []
    for item in items where !item.isNull {
      let text = try text(item, in: value)
      if let problem = problem(text) {
        throw Problem(message: "the value of '\(name)' \(problem)")
      }
      texts.append(text)
    }
    return texts
  }

  private var separator: String {
    switch style.name {
    case .form, .deepObject: ","
    case .spaceDelimited: " "
    case .pipeDelimited: "|"
    }
  }

  /// How the texts in a value can be sent to a server that reads brackets in names.
  private func bracketed(_ end: String) -> String {
    "; if the server reads brackets, write each text under a name such as '\(name)\(end)'"
  }

  /// - Parameters:
  ///   - whole: The value that holds it, or is it.
  ///   - wayOut: How a list or an object in it can be sent.
  private func text(
    _ node: JSONNode, in whole: JSONNode? = nil, wayOut: String = ""
  ) throws(Problem) -> String {
    switch node.kind {
    case .string: return node.string ?? ""
    case .number, .boolean, .null: return node.text
    case .array, .object:
      let inner = node.kind == .array ? "list" : "object"
      let words =
        switch whole?.kind {
        case .array?: "a list of \(inner)s"
        case .object? where whole?.index != node.index: "an object with \(node.kind.phrase) in it"
        default: node.kind.phrase
        }
      throw Problem(
        message: "the value of '\(name)' is \(words); a text takes strings, numbers and booleans"
          + wayOut)
    }
  }
}
