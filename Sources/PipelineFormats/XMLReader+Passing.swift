// What is passed over: the declaration, comments, instructions and the document type.
extension XMLReader {
  /// Passes the XML declaration (§2.8): a version, then perhaps an encoding, then `standalone`.
  mutating func skipDeclaration() throws(FormatProblem) {
    let start = position
    position += 5
    guard let version = try skipPseudoAttribute("version"), Self.isVersion(text[part: version])
    else { throw problem("an XML declaration begins with version=\"1.0\"", at: start) }
    if let encoding = try skipPseudoAttribute("encoding"),
      !Self.isEncodingName(text[part: encoding])
    {
      throw problem("this is not the name of an encoding", at: encoding.lowerBound)
    }
    if let answer = try skipPseudoAttribute("standalone"), !text[part: answer].equals("yes"),
      !text[part: answer].equals("no")
    {
      throw problem("'standalone' is \"yes\" or \"no\"", at: answer.lowerBound)
    }
    _ = skipSpace()
    guard starts(with: "?>") else {
      throw problem("this is not allowed in an XML declaration", at: position)
    }
    position += 2
  }

  /// Passes white space, a name and its value; `nil`, and nothing is passed: another name follows.
  private mutating func skipPseudoAttribute(
    _ name: StaticString
  ) throws(FormatProblem) -> Range<Int>? {
    let start = position
    guard skipSpace(), starts(with: name) else {
      position = start
      return nil
    }
    position += name.utf8CodeUnitCount
    let quote = try openValue()
    let value = position
    position = text.place(of: quote, or: XMLByte.greater, from: value)
    guard position < text.count, text[position] == quote else {
      throw problem("the value has no end", at: value - 1)
    }
    position += 1
    return value..<position - 1
  }

  /// Passes `=`, the white space around it, and the quote that opens a value (§2.3).
  ///
  /// - Parameter name: What the value is of, for a message.
  /// - Returns: The quote, which also closes the value.
  mutating func openValue(of name: Range<Int>? = nil) throws(FormatProblem) -> UInt8 {
    _ = skipSpace()
    guard position < text.count, text[position] == UInt8(ascii: "=") else {
      let place = name.map { "after '\(text[part: $0].excerpt)'" } ?? "here"
      throw problem("'=' is missing \(place)", at: position)
    }
    position += 1
    _ = skipSpace()
    guard position < text.count, text[position] == 0x22 || text[position] == 0x27 else {
      throw problem("a value is in quotes", at: position)
    }
    position += 1
    return text[position - 1]
  }

  private static func isVersion(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.count >= 3 && text[part: 0..<2].equals("1.")
      && text[part: 2..<text.count].allSatisfy { $0 &- 0x30 < 10 }
  }

  private static func isEncodingName(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, first | 0x20 &- 0x61 < 26 else { return false }
    return text.allSatisfy { XMLByte.isInName($0) && $0 < 0x80 && $0 != Byte.colon }
  }

  mutating func skipComment() throws(FormatProblem) {
    let start = position
    position += 4
    while position + 1 < text.count {
      position = text.place(of: 0x2D, or: 0x2D, from: position)
      if position + 1 >= text.count || text[position + 1] == 0x2D { break }
      position += 1
    }
    guard position + 2 < text.count else { throw problem("the comment has no end", at: start) }
    guard text[position + 2] == XMLByte.greater else {
      throw problem("'--' is not allowed in a comment", at: position)
    }
    try checkCharacters(start..<position)
    position += 3
  }

  mutating func skipInstruction() throws(FormatProblem) {
    let start = position
    position += 2
    let target = try readName("the name of a processing instruction")
    guard text[part: target].text.lowercased() != "xml" else {
      throw problem("the XML declaration is not at the beginning", at: start)
    }
    guard starts(with: "?>") || position < text.count && XMLByte.isSpace(text[position]) else {
      throw problem("white space is missing here", at: position)
    }
    try skip(past: "?>", "the processing instruction")
    try checkCharacters(start..<position)
  }

  /// Passes a document type, and what it declares.
  mutating func skipDocumentType() throws(FormatProblem) {
    let start = position
    position += 9
    var depth = 0
    while position < text.count {
      switch text[position] {
      case 0x22, 0x27:
        let quote = text[position]
        position += 1
        while position < text.count, text[position] != quote { position += 1 }
      case XMLByte.less where starts(with: "<!--"):
        try skipComment()
        continue
      case XMLByte.less where starts(with: "<?"):
        try skip(past: "?>", "the processing instruction")
        continue
      case XMLByte.less, UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case XMLByte.greater:
        if depth == 0 {
          position += 1
          return
        }
        depth -= 1
      default: break
      }
      position += 1
    }
    throw problem("the document type has no end", at: start)
  }

  mutating func skip(past end: String, _ what: String) throws(FormatProblem) {
    let start = position
    let bytes = Array(end.utf8)
    while position + bytes.count <= text.count {
      position = text.place(of: bytes[0], or: bytes[0], from: position)
      guard position + bytes.count <= text.count else { break }
      if text[position] == bytes[0], text[position..<position + bytes.count].elementsEqual(bytes) {
        position += bytes.count
        return
      }
      position += 1
    }
    throw problem("\(what) has no end", at: start)
  }
}
