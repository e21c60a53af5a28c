/// Writes JSON text. All values are made with it. It adds commas, colons and indentation itself.
/// Numbers keep the digits they are given.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.name("id")
///     writer.integer(7)
///     writer.endObject()
///
/// Misuse (a value without a name, a container left open) is a programming error. Debug builds
/// stop. Otherwise `document()` gives the readable parts of the text.
public struct JSONWriter: Sendable {
  /// How a text is laid out.
  public enum Style: Sendable, Hashable {
    /// No white space at all.
    case compact
    /// A line for each member and element, indented by two spaces.
    case pretty
  }

  /// The layout of the whole text.
  public let style: Style
  /// The text so far.
  public private(set) var bytes: [UInt8] = []
  private var depth = 0
  /// How deep the text nests, without `raw` text.
  package private(set) var depthReached = 0
  private var needsComma = false
  private var followsName = false

  /// A writer of an empty text.
  ///
  /// - Parameters:
  ///   - style: The layout of the whole text.
  ///   - capacity: About how many bytes will be written, if that is known.
  public init(style: Style = .compact, capacity: Int = 0) {
    self.style = style
    if capacity > 0 { bytes.reserveCapacity(capacity) }
  }

  /// A writer of one value that `raw` puts into another text.
  ///
  /// - Parameters:
  ///   - style: The layout of the whole text.
  ///   - depth: How many containers of the other text are open around the value.
  package init(style: Style, inside depth: Int) {
    self.style = style
    self.depth = depth
    // The other text breaks the line before the value.
    followsName = true
  }

  /// Starts over; `keepingCapacity` keeps the memory for a text of like length.
  ///
  /// - Parameter keepingCapacity: Whether to keep the memory, for a text of similar length.
  public mutating func reset(keepingCapacity: Bool = true) {
    bytes.removeAll(keepingCapacity: keepingCapacity)
    depth = 0
    depthReached = 0
    needsComma = false
    followsName = false
  }

  /// Opens an object. Each of its values needs a `name` before it.
  public mutating func beginObject() { begin(JSONByte.openBrace) }
  /// Closes the innermost object.
  public mutating func endObject() { end(JSONByte.closeBrace) }
  /// Opens an array.
  public mutating func beginArray() { begin(JSONByte.openBracket) }
  /// Closes the innermost array.
  public mutating func endArray() { end(JSONByte.closeBracket) }

  /// Writes the name of the next member.
  ///
  /// - Parameter name: The name before it is escaped.
  public mutating func name(_ name: String) {
    assert(!followsName, "a name follows a name")
    prepare()
    appendQuoted(name)
    finishName()
  }

  /// Writes a string, with escapes where RFC 8259 asks for them.
  ///
  /// - Parameter string: The text before it is escaped.
  public mutating func string(_ string: String) {
    prepare()
    appendQuoted(string)
    needsComma = true
  }

  /// Writes a number as it is given.
  /// - Parameter text: A number by RFC 8259 §6.
  public mutating func number(_ text: String) {
    assert(JSONNumber(text) != nil, "'\(text)' is not a JSON number")
    prepare()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  /// Writes a number with its digits as they are.
  public mutating func number(_ number: JSONNumber) {
    prepare()
    bytes.append(contentsOf: number.utf8)
    needsComma = true
  }

  /// Writes an integer in decimal digits.
  public mutating func integer(_ value: some BinaryInteger) {
    prepare()
    bytes.append(contentsOf: String(value).utf8)
    needsComma = true
  }

  /// Writes `true` or `false`.
  public mutating func boolean(_ value: Bool) {
    prepare()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
    needsComma = true
  }

  /// Writes `null`.
  public mutating func null() {
    prepare()
    bytes.append(contentsOf: "null".utf8)
    needsComma = true
  }

  /// Writes a value in JSON text as it is, white space included.
  /// - Parameter text: One whole value, which is not checked.
  public mutating func raw(_ text: some Collection<UInt8>) {
    prepare()
    bytes.append(contentsOf: text)
    needsComma = true
  }

  /// Writes a scalar as it is.
  package mutating func scalar(_ scalar: ShortScalar) {
    prepare()
    scalar.append(to: &bytes)
    needsComma = true
  }

  /// The value that was written last and begins at `start`; `nil` if it is not a scalar, or a long
  /// one.
  package func scalar(from start: Int) -> ShortScalar? {
    ShortScalar(endOf: bytes, from: start)
  }

  /// Ends the text with a line break. The next value begins another text.
  public mutating func endLine() {
    assert(depth == 0 && !followsName, "what was begun is not ended")
    bytes.append(0x0A)
    needsComma = false
  }

  /// Gives the text so far to `sink` and forgets it. Further text continues it.
  ///
  /// - Parameter sink: Receives the text, in UTF-8.
  public mutating func handOn(to sink: ([UInt8]) -> Void) {
    if !bytes.isEmpty { sink(bytes) }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes a value as `value(_:)` does, and passes the text on each time it is 64 KB long.
  ///
  /// - Parameters:
  ///   - node: A value of any document.
  ///   - sink: Receives a part of the text each time.
  public mutating func value(_ node: JSONNode, handingOnTo sink: ([UInt8]) -> Void) {
    write(node) { writer in
      if writer.bytes.count >= 1 << 16 { writer.handOn(to: sink) }
    }
  }

  /// Writes a value of a document in this writer's style: the same digits, the same escapes.
  ///
  /// - Parameter node: A value of any document.
  public mutating func value(_ node: JSONNode) {
    write(node) { _ in }
  }

  /// - Parameter pause: Called between any two elements.
  @inline(__always)
  private mutating func write(_ node: JSONNode, pause: (inout JSONWriter) -> Void) {
    let document = node.document
    var index = node.index
    let last = document.endIndex(of: index)
    var isName = false
    // Whether each open container is an object. The depth of a document is bounded.
    var objects: [Bool] = []
    while index <= last {
      pause(&self)
      let element = document.element(at: index)
      switch element.kind {
      case .object, .array:
        begin(element.isObject ? JSONByte.openBrace : JSONByte.openBracket)
        objects.append(element.isObject)
        isName = element.isObject
        index += 1
        continue
      case .end, .impliedEnd:
        end(objects.popLast() == true ? JSONByte.closeBrace : JSONByte.closeBracket)
        isName = objects.last == true
        index += 1
        continue
      case .string, .escapedString:
        prepare()
        bytes.append(contentsOf: document.bytes[document.range(at: index)])
      case .lenientString:
        prepare()
        appendQuoted(document.string(at: index))
      case .number:
        prepare()
        bytes.append(contentsOf: document.bytes[document.range(at: index)])
      case .true, .false: boolean(element.kind == .true)
      case .null, .unused: null()
      }
      if isName { finishName() } else { needsComma = true }
      isName = objects.last == true && !isName
      index += 1
    }
  }

  /// The document of the text so far.
  /// - Complexity: O(bytes), because it parses them.
  public consuming func document() -> JSONDocument {
    assert(depth == 0 && !followsName, "what was begun is not ended")
    return JSONDocument.written(bytes)
  }

  // MARK: Layout

  private mutating func begin(_ bracket: UInt8) {
    prepare()
    bytes.append(bracket)
    depth += 1
    depthReached = max(depthReached, depth)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    assert(depth > 0, "more is closed than opened")
    assert(!followsName, "a name without a value")
    depth = max(depth - 1, 0)
    if needsComma { breakLine() }
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func finishName() {
    bytes.append(JSONByte.colon)
    if style == .pretty { bytes.append(0x20) }
    followsName = true
    needsComma = false
  }

  /// The text before a name or value.
  private mutating func prepare() {
    if followsName {
      followsName = false
      return
    }
    if needsComma { bytes.append(JSONByte.comma) }
    if depth > 0 { breakLine() }
  }

  private mutating func breakLine() {
    guard style == .pretty else { return }
    bytes.append(0x0A)
    for _ in 0..<depth {
      bytes.append(0x20)
      bytes.append(0x20)
    }
  }

  private mutating func appendQuoted(_ string: String) {
    bytes.append(JSONByte.quote)
    var string = string
    string.withUTF8 { utf8 in
      var start = 0
      for (index, byte) in utf8.enumerated() {
        guard byte < 0x20 || byte == JSONByte.quote || byte == JSONByte.backslash else { continue }
        bytes.append(contentsOf: utf8[start..<index])
        appendEscaped(byte)
        start = index + 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(JSONByte.quote)
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    bytes.append(JSONByte.backslash)
    switch byte {
    case JSONByte.quote, JSONByte.backslash: bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    default:
      bytes.append(contentsOf: "u00".utf8)
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }
}
