internal import PipelineByteText

/// Reads XML 1.0 (fifth edition) as JSON, without recursion.
///
/// The result is an object with the root element. An element is an object: attributes are `@name`,
/// its text is `#text`. It is a text if it has nothing else, `""` if it is empty. Elements of one
/// name in one element are a list. Text has no white space at its ends.
///
/// Namespace declarations are not attributes. A document type is passed over, and entities that it
/// may declare are refused.
package struct XMLReader {
  private let format: XMLFormat
  let text: UnsafeBufferPointer<UInt8>
  var position = 0
  private var tree = XMLTree()
  private var names: XMLNames
  /// The elements that are open, the innermost last.
  private var open: [Open] = []
  /// The attributes of the current tag.
  private var attributes: [XMLAttribute] = []

  private struct Open {
    let element: Int
    /// The name as written.
    let name: Range<Int>
    /// The prefixes that it declares, if they are replaced.
    let prefixes: [String]
  }

  static let depthLimit = 512

  /// The JSON text of a document.
  ///
  /// - Parameter charset: The encoding by the response, if it names one. A byte order mark goes
  ///   before it, the document's own declaration after it.
  /// - Complexity: O(bytes). Takes memory of about the size of the text.
  package static func json(
    of bytes: [UInt8], charset: Charset? = nil, _ format: XMLFormat
  ) throws(FormatProblem) -> [UInt8] {
    let utf8 = try decoded(bytes, charset)
    return try utf8.withUnsafeBufferPointer { text in
      Result { () throws(FormatProblem) in
        guard text.count <= Int(Int32.max) else {
          throw FormatProblem("a document of 2 GB or more cannot be read", line: 1, column: 1)
        }
        if let fault = text.firstFaultOfUTF8 {
          throw FormatProblem("this byte is not of a text in UTF-8", at: fault, of: text)
        }
        var reader = XMLReader(text, format)
        return try reader.read()
      }
    }.get()
  }

  private init(_ text: UnsafeBufferPointer<UInt8>, _ format: XMLFormat) {
    self.text = text
    self.format = format
    names = XMLNames(format)
  }

  // MARK: The document

  private mutating func read() throws(FormatProblem) -> [UInt8] {
    if starts(with: "<?xml"), position + 5 < text.count, XMLByte.isSpace(text[position + 5]) {
      try skipDeclaration()
    }
    var hasRoot = false
    while position < text.count {
      if open.isEmpty {
        try readOutside(&hasRoot)
      } else if text[position] == XMLByte.less {
        try readMarkup()
      } else {
        try readText()
      }
    }
    if let last = open.last {
      throw problem(
        "the element '\(text[part: last.name].excerpt)' has no end", at: last.name.lowerBound)
    }
    guard hasRoot else { throw problem("there is no element", at: position) }
    return try tree.json(format, names).get()
  }

  private mutating func readOutside(_ hasRoot: inout Bool) throws(FormatProblem) {
    if XMLByte.isSpace(text[position]) {
      position += 1
    } else if starts(with: "<!--") {
      try skipComment()
    } else if starts(with: "<?") {
      try skipInstruction()
    } else if starts(with: "<!DOCTYPE"), !hasRoot {
      try skipDocumentType()
    } else if text[position] == XMLByte.less, !hasRoot {
      hasRoot = true
      try readStartTag()
    } else {
      throw problem(
        hasRoot
          ? "something follows the root element" : "a document begins with an element", at: position
      )
    }
  }

  private mutating func readMarkup() throws(FormatProblem) {
    guard position + 1 < text.count else { throw problem("the tag has no end", at: position) }
    switch text[position + 1] {
    case UInt8(ascii: "/"): try readEndTag()
    case UInt8(ascii: "?"): try skipInstruction()
    case UInt8(ascii: "!"):
      if starts(with: "<!--") { return try skipComment() }
      guard starts(with: "<![CDATA[") else {
        throw problem("this is not allowed inside an element", at: position)
      }
      let start = position + 9
      try skip(past: "]]>", "the CDATA section")
      try checkCharacters(start..<position - 3)
      tree.append(text: text[part: start..<position - 3], to: open[open.count - 1].element)
    default: try readStartTag()
    }
  }

  // MARK: Tags

  private mutating func readStartTag() throws(FormatProblem) {
    let start = position
    position += 1
    let name = try readName("the name of an element")
    guard open.count < Self.depthLimit else {
      throw problem("elements nest deeper than \(Self.depthLimit)", at: start)
    }
    if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
    var isEmpty = false
    while true {
      let hadSpace = skipSpace()
      guard position < text.count else { throw problem("the tag has no end", at: start) }
      if text[position] == XMLByte.greater {
        position += 1
        break
      }
      if text[position] == UInt8(ascii: "/") {
        position += 1
        guard position < text.count, text[position] == XMLByte.greater else {
          throw problem("'>' is missing after '/'", at: position)
        }
        position += 1
        isEmpty = true
        break
      }
      guard hadSpace else { throw problem("white space is missing here", at: position) }
      attributes.append(try readAttribute())
    }
    let prefixes = attributes.isEmpty ? [] : names.declare(attributes, in: text)
    let element = tree.add(names.element(text[part: name]), to: open.last?.element)
    for attribute in attributes {
      let name = names.attribute(text[part: attribute.name])
      guard names.isFirst(name, inTagAt: start) else {
        throw problem(
          "the attribute '\(text[part: attribute.name].excerpt)' is written twice",
          at: attribute.name.lowerBound)
      }
      if attribute.declaresNamespace(in: text) { continue }
      if let made = attribute.made {
        made.withUnsafeBufferPointer { tree.append(attribute: name, $0, to: element) }
      } else {
        tree.append(attribute: name, text[part: attribute.written], to: element)
      }
    }
    if isEmpty {
      names.undeclare(prefixes)
    } else {
      open.append(Open(element: element, name: name, prefixes: prefixes))
    }
  }

  private mutating func readAttribute() throws(FormatProblem) -> XMLAttribute {
    let name = try readName("the name of an attribute")
    let quote = try openValue(of: name)
    let start = position
    position = text.place(of: quote, or: XMLByte.less, from: position)
    guard position < text.count else { throw problem("the value has no end", at: start - 1) }
    if text[position] == XMLByte.less {
      throw problem("'<' is written '&lt;' in a value", at: position)
    }
    let written = start..<position
    position += 1
    let value = text[part: written]
    if value.placeInXML(from: 0) == value.count {
      return XMLAttribute(name: name, written: written, made: nil)
    }
    try checkCharacters(written)
    return XMLAttribute(
      name: name, written: written, made: try resolved(written, isAttribute: true))
  }

  private mutating func readEndTag() throws(FormatProblem) {
    let start = position
    position += 2
    let name = try readName("the name of an element")
    _ = skipSpace()
    guard position < text.count, text[position] == XMLByte.greater else {
      throw problem("'>' is missing in the tag", at: position)
    }
    position += 1
    guard let last = open.popLast() else { throw problem("nothing is open here", at: start) }
    guard text[part: last.name].hasBytes(of: text[part: name]) else {
      throw problem(
        "'\(text[part: last.name].excerpt)' is open, but '\(text[part: name].excerpt)' ends",
        at: start)
    }
    names.undeclare(last.prefixes)
  }

  // MARK: Text

  private mutating func readText() throws(FormatProblem) {
    let start = position
    let element = open[open.count - 1].element
    // The white space of an indented document, before a text begins.
    _ = skipSpace()
    if position < text.count, text[position] == XMLByte.less, !tree.hasText(element) { return }
    position = text.placeInXML(from: position)
    if position < text.count, text[position] == XMLByte.less,
      !text[part: start..<position].contains(Byte.carriageReturn)
    {
      return tree.append(text: text[part: start..<position], to: element)
    }
    var isPlain = true
    position = start
    while position < text.count, text[position] != XMLByte.less {
      let byte = text[position]
      if byte == XMLByte.ampersand || byte == Byte.carriageReturn { isPlain = false }
      if byte == XMLByte.greater, position - start >= 2, text[position - 1] == 0x5D,
        text[position - 2] == 0x5D
      {
        throw problem("']]>' is not allowed in text", at: position - 2)
      }
      position += 1
    }
    try checkCharacters(start..<position)
    if isPlain {
      tree.append(text: text[part: start..<position], to: element)
    } else {
      let value = try resolved(start..<position, isAttribute: false)
      value.withUnsafeBufferPointer { tree.append(text: $0, to: element) }
    }
  }

  /// A text with its references replaced, and its line ends and white space normalized (§2.11,
  /// §3.3.3).
  private func resolved(
    _ range: Range<Int>, isAttribute: Bool
  ) throws(FormatProblem) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = text[index]
      switch byte {
      case XMLByte.ampersand:
        index = try appendReference(at: index, before: range.upperBound, to: &bytes)
        continue
      case Byte.carriageReturn:
        if index + 1 < range.upperBound, text[index + 1] == Byte.lineFeed { index += 1 }
        bytes.append(isAttribute ? Byte.space : Byte.lineFeed)
      case Byte.lineFeed, Byte.tab: bytes.append(isAttribute ? Byte.space : byte)
      default: bytes.append(byte)
      }
      index += 1
    }
    return bytes
  }

  /// Writes the text of a reference, and returns the place after it.
  private func appendReference(
    at start: Int, before end: Int, to bytes: inout [UInt8]
  ) throws(FormatProblem) -> Int {
    guard let semicolon = text[start..<end].firstIndex(of: UInt8(ascii: ";")) else {
      throw problem("'&' is written '&amp;'", at: start)
    }
    let name = text[part: start + 1..<semicolon].text
    switch name {
    case "lt": bytes.append(XMLByte.less)
    case "gt": bytes.append(XMLByte.greater)
    case "amp": bytes.append(XMLByte.ampersand)
    case "quot": bytes.append(0x22)
    case "apos": bytes.append(0x27)
    default:
      guard name.hasPrefix(bytes: "#") else {
        throw problem(
          XMLByte.isName(name.utf8)
            ? "'&\(name.prefix(40));' is not an entity of XML, and none that a document declares is"
              + " read"
            : "'&' is written '&amp;'", at: start)
      }
      let isHex = name.hasPrefix(bytes: "#x")
      let digits = name.utf8.dropFirst(isHex ? 2 : 1)
      guard digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
        let number = UInt32(String(Substring(digits)), radix: isHex ? 16 : 10),
        let scalar = Unicode.Scalar(number), XMLByte.isCharacter(scalar)
      else { throw problem("'&\(name.prefix(40));' is not a character", at: start) }
      bytes += Array(String(Character(scalar)).utf8)
    }
    return semicolon + 1
  }

  // MARK: Bytes

  func starts(with prefix: StaticString) -> Bool {
    guard position + prefix.utf8CodeUnitCount <= text.count else { return false }
    for index in 0..<prefix.utf8CodeUnitCount
    where text[position + index] != prefix.utf8Start[index] {
      return false
    }
    return true
  }

  mutating func skipSpace() -> Bool {
    let start = position
    while position < text.count, XMLByte.isSpace(text[position]) { position += 1 }
    return position > start
  }

  mutating func readName(_ what: String) throws(FormatProblem) -> Range<Int> {
    let start = position
    var isASCII = true
    while position < text.count, XMLByte.isInName(text[position]) {
      if text[position] >= 0x80 { isASCII = false }
      position &+= 1
    }
    // In ASCII, all that is left to see is how it begins.
    let isName =
      position > start
      && (isASCII
        ? XMLByte.isNameStart(text[start]) : XMLByte.isName(text[part: start..<position]))
    guard isName else {
      throw problem("\(what) is missing here", at: start)
    }
    return start..<position
  }

  /// Refuses the characters that XML does not have (§2.2).
  func checkCharacters(_ range: Range<Int>) throws(FormatProblem) {
    for index in range {
      let byte = text[index]
      let isNone =
        byte < 0x20 && byte != Byte.tab && !Byte.isLineEnd(byte)
        || byte == 0xEF && text[index + 1] == 0xBF && text[index + 2] >= 0xBE
      if isNone { throw problem("this character is not allowed in XML", at: index) }
    }
  }

  func problem(_ message: String, at offset: Int) -> FormatProblem {
    FormatProblem(message, at: offset, of: text)
  }
}
