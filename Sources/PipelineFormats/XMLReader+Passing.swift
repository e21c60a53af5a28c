// What is passed over: comments, instructions and the document type.
extension XMLReader {
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
