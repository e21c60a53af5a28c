import PipelineByteText

// Templates of other languages between `{{` and `}}`, and templates in the wrong place.

extension QueryParser {
  /// Throws if a string holds a template, because it would be compared letter by letter. Braces
  /// that are meant are written `{{{{`.
  func refuseQuotedTemplate(_ range: Range<Int>) throws(QuerySyntaxError) {
    let content = range.lowerBound + 1..<range.upperBound - 1
    let written = text(content)
    guard holdsTemplate(content) else { return }
    if written.hasPrefix("{{"), written.hasSuffix("}}"),
      case .success = Query.parseReference(String(written.dropFirst(2).dropLast(2)))
    {
      throw error(
        "a template is a value and needs no quotes; write \(quoted(content))", range,
        fix: written)
    }
    throw error(
      "a template is a value and cannot be part of a text; compute the text in a step of "
        + "its own", range)
  }

  /// Throws if a quoted key holds a template.
  func refuseTemplateAsKey(_ range: Range<Int>) throws(QuerySyntaxError) {
    let content = range.lowerBound + 1..<range.upperBound - 1
    guard holdsTemplate(content) else { return }
    let written = text(content)
    if written.hasPrefix("{{"), written.hasSuffix("}}"),
      case .success = Query.parseReference(String(written.dropFirst(2).dropLast(2)))
    {
      throw error(
        "a computed key has no quotes; write [\(written)]", range, fix: written)
    }
    throw error(
      "a template cannot be part of a key; compute the key in a separate step, and write"
        + " [{{step.key}}]; literal braces are written '{{{{'", range)
  }

  /// Whether there is a `{{` that is not written twice, and a `}}`.
  func holdsTemplate(_ range: Range<Int>) -> Bool {
    let written = text(range)
    return written.contains("}}") && written.replacing("{{{{", with: "").contains("{{")
  }

  /// Throws if a reference does not begin with a name.
  func refuseForeignReference() throws(QuerySyntaxError) {
    if let byte, Self.isLetter(byte) || byte == UInt8(ascii: "_") { return }
    guard let byte, !starts(with: "}}") else {
      throw error("the template is empty; write a name such as 'inputs.id'", position..<position)
    }
    let range = scalarRange(at: position)
    switch byte {
    case UInt8(ascii: "$"):
      if starts(with: "$."), let next = self.byte(after: 2), Self.isNameFirst(next) {
        throw error(
          "a template begins with a name; drop '$.'", position..<position + 2, fix: "")
      }
      throw error("a template begins with a name, not with '$'", range)
    case UInt8(ascii: "@"):
      throw error("a template begins with a name, not with '@'", range)
    case UInt8(ascii: "."):
      throw error("a template begins with a name; drop '.'", range, fix: "")
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      throw error("a text needs no template; write it without braces", range)
    case let byte where Self.isDigit(byte) || byte == UInt8(ascii: "-"):
      throw error(
        "a template begins with a name; a number needs no template", range)
    case UInt8(ascii: "#"), UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "!"),
      UInt8(ascii: "&"), UInt8(ascii: "^"), UInt8(ascii: "%"):
      throw error(
        "'{{\(text(range))' is not in this language: a template inserts one value", range)
    default:
      throw error(
        "a template begins with a name, of letters, digits and '_', not with \(quoted(range))",
        range)
    }
  }

  /// Throws if the first name of a reference contains a character that names may not have.
  func refuseForeignEndOfReferenceName(_ start: Int) throws(QuerySyntaxError) {
    guard let byte else { return }
    guard byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "$") else { return }
    var end = position
    while end < bytes.count,
      bytes[end].isNameByte || bytes[end] == UInt8(ascii: "-")
        || bytes[end] == UInt8(ascii: "$")
    {
      end += 1
    }
    throw error(
      "\(quoted(start..<end)) is not a name: names are letters, digits and '_'", start..<end)
  }

  /// The error for text after a reference, after the blanks.
  func foreignInReference(_ reference: Query) -> QuerySyntaxError {
    let range = scalarRange(at: position)
    guard let byte else {
      return error("'{{' is not closed by '}}'", range)
    }
    switch byte {
    case UInt8(ascii: "|"), UInt8(ascii: "?"):
      let isDefault = starts(with: "||") || starts(with: "??")
      let message =
        isDefault
        ? "a template has no default; give the extractor or input a 'default'"
        : "a template has no filters and no choice: it inserts one value"
      return error(message, isDefault ? position..<position + 2 : range)
    case UInt8(ascii: "("), UInt8(ascii: ":"):
      return error("a template cannot call functions: it inserts one value", range)
    case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "&"):
      return error("a template cannot compare; conditions belong in 'when'", range)
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"),
      UInt8(ascii: "%"), UInt8(ascii: "~"):
      return error(
        "a template cannot compute: it inserts one value"
          + (byte == UInt8(ascii: "+")
            ? "; write {\"$sum\": [a, b]} in 'values', or one template after the other to join texts"
            : ""),
        range)
    case UInt8(ascii: "}"): return error("a template is closed by '}}'", range)
    default:
      return error(
        "after \(quoted(reference.range)) a template continues with '.', '[' or its end, not "
          + quoted(range), range)
    }
  }
}
