internal import Synchronization

/// A JSON text and its tape: immutable, shared by every node that points into it.
///
/// The text stays as it came. The tape holds one word an element (see `TapeElement`), so a value is
/// a place: an index into the tape. Numbers keep their digits, strings stay in the text until asked
/// for, and every value knows its bytes.
public final class JSONDocument: Sendable {
  /// The whole text, as given.
  public let bytes: [UInt8]
  /// The elements in the order of the text; `tape[0]` begins the root.
  @usableFromInline package let tape: [UInt64]
  /// Made when a filter first looks something up.
  private let lazyIndexes = AtomicLazyReference<ValueIndexes>()

  @usableFromInline package init(bytes: [UInt8], tape: [UInt64]) {
    self.bytes = bytes
    self.tape = tape
  }

  /// Parses a text strictly by RFC 8259: UTF-8, one value and nothing after it.
  ///
  /// A byte order mark before the value is skipped, as RFC 8259 §8.1 permits a reader to do.
  /// Duplicate names are accepted; `node["name"]` gives the first.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - depthLimit: How deep arrays and objects may nest, at most 1,024.
  /// - Throws: The first thing wrong.
  /// - Complexity: O(n), without recursion. Beyond the text it takes 8 bytes an element.
  public static func parse(
    _ bytes: [UInt8], depthLimit: Int = 512
  ) throws(JSONSyntaxError) -> JSONDocument {
    try parse(bytes, depthLimit: depthLimit, lengthLimit: TapeElement.offsetLimit)
  }

  /// - Parameter lengthLimit: The range of a tape's offsets. Tests use less than 4 GB.
  static func parse(
    _ bytes: [UInt8], depthLimit: Int, lengthLimit: Int
  ) throws(JSONSyntaxError) -> JSONDocument {
    let depthLimit = min(max(depthLimit, 0), greatestDepth)
    if bytes.count <= lengthLimit,
      let tape = StrictParser.tape(of: bytes, depthLimit: depthLimit)
    {
      return JSONDocument(bytes: bytes, tape: tape)
    }
    // The strict parser only fails, and accepts a lone scalar. This one explains.
    var parser = RecoveringParser(
      bytes, depthLimit: depthLimit, problemLimit: 1, lengthLimit: lengthLimit)
    parser.parse()
    if let problem = parser.problems.first { throw problem }
    return JSONDocument(bytes: bytes, tape: parser.tape)
  }

  /// Parses a text that a person wrote. It continues after mistakes, names each with the way out,
  /// and gives a document of the readable parts.
  ///
  /// Everything that `parse` refuses is among the problems, and so are a byte order mark and
  /// duplicate names. They come in the order of the text, at most a hundred. With no problems the
  /// document is the one that `parse` gives.
  ///
  /// - Parameter bytes: The text, in UTF-8.
  /// - Returns: The document, and the problems in the order of the text; none if the text is valid.
  public static func parseRecovering(
    _ bytes: [UInt8]
  ) -> (document: JSONDocument, problems: [JSONSyntaxError]) {
    if !bytes.starts(with: [0xEF, 0xBB, 0xBF]),
      let tape = StrictParser.tape(of: bytes, depthLimit: 512)
    {
      let document = JSONDocument(bytes: bytes, tape: tape)
      let problems = document.duplicateNames(limit: 100)
      return (document, problems.sorted { $0.range.lowerBound < $1.range.lowerBound })
    }
    var parser = RecoveringParser(bytes, depthLimit: 512, problemLimit: 100)
    parser.reportsByteOrderMark = true
    parser.parse()
    let document = JSONDocument(bytes: bytes, tape: parser.tape)
    let problems = parser.problems + document.duplicateNames(limit: 100)
    return (document, problems.sorted { $0.range.lowerBound < $1.range.lowerBound })
  }

  /// The document of a text that is JSON because it was written, not received. It may nest as deep
  /// as any document. Deeper values are left out. Of a text that is not JSON after all, it has the
  /// readable parts.
  package static func written(_ bytes: [UInt8]) -> JSONDocument {
    if let document = try? parse(bytes, depthLimit: greatestDepth) { return document }
    var parser = RecoveringParser(bytes, depthLimit: greatestDepth, problemLimit: 100)
    parser.parse()
    return JSONDocument(bytes: bytes, tape: parser.tape)
  }

  /// The document of a whole number, without a parse.
  package convenience init(integer: Int) {
    let bytes = Array(String(integer).utf8)
    self.init(bytes: bytes, tape: [TapeElement(.number, offset: 0, span: bytes.count).word])
  }

  /// The same text and tape under another reference count, for another thread.
  package func sharingContent() -> JSONDocument { JSONDocument(bytes: bytes, tape: tape) }

  /// The parts of this document that filters found worth an index.
  var valueIndexes: ValueIndexes {
    lazyIndexes.load() ?? lazyIndexes.storeIfNil(ValueIndexes(byteLimit: 16 * tape.count))
  }

  /// The value of the whole text.
  @inlinable public var root: JSONNode { JSONNode(document: self, index: 0) }

  /// No parser nests deeper, whatever its caller allows: what walks a document may recurse.
  static let greatestDepth = 1024
}
