internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineTemplates

/// The texts of a member of `query`, `headers`, `cookies` or a form.
///
/// A value that is absent or `null` is left out. A list repeats the name, or is joined according to
/// its style (OpenAPI 3.1, "Style Values").
struct ParameterText {
  let parameter: Request.Parameter
  let value: JSONNode?

  /// - Parameter signing: What the value is made of, apart from the scope, if it is made for a
  ///   request.
  init(
    _ parameter: Request.Parameter, _ scope: Scope, _ files: any FileAccess,
    seenThrough signing: SigningScope? = nil
  ) throws(FailureReason) {
    self.parameter = parameter
    if let signing {
      let source = DataScope(scope: scope, files: files, seenThrough: signing)
      do throws(DataError) {
        value = try parameter.value.value(from: source)
      } catch {
        throw FailureReason(error)
      }
    } else if let whole = parameter.value.wholeReference {
      value = whole.first(in: scope.queryContext())
    } else {
      var writer = JSONWriter(style: .compact)
      let isPresent = try Evaluation.write(
        parameter.value, to: &writer, in: scope, files: files)
      value = isPresent ? writer.document().root : nil
    }
  }

  /// Names and values for a URL's query or a form, encoded.
  ///
  /// - Parameter encode: Encodes a text of the author or of a value. The commas that join several
  ///   of the style `form` stay (RFC 6570 §3.2.8).
  func pairs(
    encodedBy encode: (String) -> String
  ) throws(FailureReason) -> [(name: String, value: String)] {
    guard let value, !value.isNull else { return [] }
    let name = encode(parameter.name)
    let separator = parameter.style.name == .form ? "," : encode(self.separator)
    switch value.kind {
    case .array:
      let items = try value.elements.filter { !$0.isNull }.map { item throws(FailureReason) in
        encode(try text(item))
      }
      if parameter.style.explode { return items.map { (name, $0) } }
      return items.isEmpty ? [] : [(name, items.joined(separator: separator))]
    case .object:
      let members = try value.members.filter { !$0.value.isNull }.map {
        member throws(FailureReason) in
        (name: member.name, value: encode(try text(member.value)))
      }
      if parameter.style.name == .deepObject {
        return members.map { (encode("\(parameter.name)[\($0.name)]"), $0.value) }
      }
      if parameter.style.explode { return members.map { (encode($0.name), $0.value) } }
      return members.isEmpty
        ? []
        : [(name, members.flatMap { [encode($0.name), $0.value] }.joined(separator: separator))]
    default:
      return [(name, encode(try text(value)))]
    }
  }

  /// The values of a header. A list repeats it.
  func headerValues() throws(FailureReason) -> [String] {
    try values { FieldValue.problem(in: $0)?.phrase }
  }

  /// The values of a cookie. A list repeats it.
  func cookieValues() throws(FailureReason) -> [String] {
    try values { text in
      switch FieldValue.problem(in: text) {
      case .controlCharacter: "has a control character, which a cookie must not hold"
      case .blankAtEnd: FieldValue.Problem.blankAtEnd.phrase
      case nil where text.contains(bytes: "\t"):
        "has a control character, which a cookie must not hold"
      case nil: text.contains(bytes: ";") ? "has a ';', which would begin another cookie" : nil
      }
    }
  }

  private func values(refusing problem: (String) -> String?) throws(FailureReason) -> [String] {
    guard let value, !value.isNull else { return [] }
    let items = value.kind == .array ? Array(value.elements) : [value]
    var texts: [String] = []
    for item in items where !item.isNull {
      let text = try text(item)
      if let problem = problem(text) {
        throw FailureReason(
          .value, "the value of '\(parameter.name)' \(problem)", at: parameter.node.range)
      }
      texts.append(text)
    }
    return texts
  }

  private var separator: String {
    switch parameter.style.name {
    case .form, .deepObject: ","
    case .spaceDelimited: " "
    case .pipeDelimited: "|"
    }
  }

  private func text(_ node: JSONNode) throws(FailureReason) -> String {
    switch node.kind {
    case .string: return node.string ?? ""
    case .number, .boolean, .null: return node.text
    case .array, .object:
      throw FailureReason(
        .value,
        "the value of '\(parameter.name)' is \(node.kind == .array ? "a list" : "an object") inside"
          + " of another; a text takes strings, numbers and booleans", at: parameter.node.range)
    }
  }
}
