internal import PipelineByteText
internal import PipelineURIs

/// Reads a URL with templates, and decides the position of each reference by its place.
struct URLTemplateParser {
  let symbols: [URLSymbol]
  let references: [Template.Reference]
  var index = 0
  var pieces: [URLTemplate.Piece] = []
  var problems: [TemplateProblem] = []
  var literal: [UInt8] = []
  private var isPath = false
  private var queryStart: Int?

  /// The template of `range` of `bytes` and everything wrong with it, with offsets in `bytes`.
  static func parse(
    _ bytes: [UInt8], in range: Range<Int>
  ) -> (URLTemplate, [TemplateProblem]) {
    let (symbols, references, problems) = URLSymbol.symbols(of: bytes, in: range)
    var parser = URLTemplateParser(symbols: symbols, references: references, problems: problems)
    let form = parser.parseURL()
    let url = URLTemplate(
      text: String(decoding: bytes[range], as: UTF8.self), form: form, pieces: parser.pieces,
      queryStart: parser.queryStart)
    return (url, parser.problems.inOrder)
  }

  private init(
    symbols: [URLSymbol], references: [Template.Reference], problems: [TemplateProblem]
  ) {
    self.symbols = symbols
    self.references = references
    self.problems = problems
    literal.reserveCapacity(symbols.count)
  }

  // MARK: The URL

  private mutating func parseURL() -> URLTemplate.Form {
    guard let first = symbols.first else { return .relative }
    switch first {
    case .reference(let number, _):
      let reference = references[number]
      guard reference.isReserved else {
        index = 1
        pieces.append(.start(reference, continuation(of: reference)))
        parseAfterAuthority()
        return .start
      }
      problems.append(
        TemplateProblem(
          .reserved,
          "'{{+\(reference.text)}}' belongs in a path: write '/{{+\(reference.text)}}', or"
            + " '{{\(reference.text)}}' for a whole URL", at: reference.range))
      parsePath()
      return .relative
    case .byte, .opaque:
      break
    }
    if let form = parseScheme() { return form }
    if startsWith("//") {
      let range = symbols[0].range.lowerBound..<symbols[1].range.upperBound
      problems.append(
        TemplateProblem(
          .url, "'//' begins a host without a scheme; write 'https://'", at: range, fix: "https://")
      )
    }
    // The slash between base and path is the expansion's.
    if startsWith("/") { index = 1 }
    parsePath()
    return .relative
  }

  private func continuation(of reference: Template.Reference) -> URLTemplate.Continuation {
    switch index < symbols.count ? symbols[index].byte : nil {
    case UInt8(ascii: "/"): .path
    case UInt8(ascii: "?"): .query
    case UInt8(ascii: "&"): .parameter
    default: .nothing
    }
  }

  /// The text after a reference at the start.
  private mutating func parseAfterAuthority() {
    guard index < symbols.count else { return }
    switch symbols[index].byte {
    case UInt8(ascii: "&"):
      parseQuery()
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"):
      parsePath()
    default:
      if startsWith("://", at: index) {
        problems.append(
          TemplateProblem(
            .url, "a scheme is written out, as in 'https://'", at: symbols[0].range))
      } else if case .opaque = symbols[index] {
        // Said already.
      } else {
        problems.append(
          TemplateProblem(
            .url, "after a URL from a template comes '/', '?' or '&'", at: characterRange(at: index)
          ))
      }
      parsePath()
    }
  }

  // MARK: Path and query

  mutating func parsePath() {
    isPath = true
    var hasReference = false
    var segmentStart = index
    var segmentHasReference = false
    loop: while index < symbols.count {
      switch symbols[index] {
      case .byte(let byte, _):
        if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break loop }
        if byte == UInt8(ascii: "/") {
          if !segmentHasReference { judge(segmentFrom: segmentStart) }
          segmentStart = index + 1
          segmentHasReference = false
        }
        literal.append(byte)
        index += judgeCharacter(allowed: ASCIISet.path)
      case .reference(let number, _):
        addReference(references[number], at: .path)
        hasReference = true
        segmentHasReference = true
        index += 1
      case .opaque:
        segmentHasReference = true
        index += 1
      }
    }
    if !segmentHasReference { judge(segmentFrom: segmentStart) }
    endLiteral()
    isPath = false
    if hasReference { pieces.append(.endOfPath) }
    guard index < symbols.count else { return }
    if symbols[index].byte == UInt8(ascii: "#") { parseFragment() } else { parseQuery() }
  }

  /// Judges the segment that ends at the index.
  private mutating func judge(segmentFrom start: Int) {
    guard start < index, let first = symbols[start].byte, ASCIISet(".%").contains(first),
      URI.isDotSegment(symbols[start..<index].compactMap(\.byte))
    else { return }
    problems.append(
      TemplateProblem(
        .url, "a segment '.' or '..' is removed before the request is sent; write the path without",
        at: symbols[start].range.lowerBound..<symbols[index - 1].range.upperBound))
  }

  private mutating func parseQuery() {
    queryStart = symbols[index].range.lowerBound
    while index < symbols.count {
      switch symbols[index] {
      case .byte(UInt8(ascii: "#"), _):
        endLiteral()
        parseFragment()
        return
      case .byte(let byte, _):
        literal.append(byte)
        index += judgeCharacter(allowed: ASCIISet.query)
      case .reference(let number, _):
        addReference(references[number], at: .query)
        index += 1
      case .opaque:
        index += 1
      }
    }
    endLiteral()
  }

  /// A fragment is for browsers. No request carries it.
  private mutating func parseFragment() {
    let range = symbols[index].range.lowerBound..<(symbols[symbols.count - 1].range.upperBound)
    problems.append(
      TemplateProblem(
        .url, "a fragment is never sent; drop it, or write '%23' for a literal '#'", at: range,
        fix: "", isGuess: true))
    index = symbols.count
  }

  // MARK: Pieces

  /// Takes `count` literal bytes as they are.
  mutating func take(_ count: Int) {
    literal += symbols[index..<index + count].compactMap(\.byte)
    index += count
  }

  mutating func addReference(_ reference: Template.Reference, at position: Position) {
    endLiteral()
    if reference.isReserved, position != .path {
      problems.append(.reservedOutsidePath(reference))
    }
    pieces.append(.reference(reference, position))
  }

  mutating func endLiteral() {
    guard !literal.isEmpty else { return }
    let text = String(decoding: literal, as: UTF8.self)
    let slash = UInt8(ascii: "/")
    pieces.append(
      isPath
        ? .path(
          text, firstSlash: literal.firstIndex(of: slash), lastSlash: literal.lastIndex(of: slash))
        : .text(text))
    literal.removeAll(keepingCapacity: true)
  }

  /// Judges the character at the index and returns how many symbols were judged with it.
  private mutating func judgeCharacter(allowed: ASCIISet) -> Int {
    guard case .byte(let first, let start) = symbols[index] else { return 1 }
    if allowed.contains(first) { return 1 }
    if first == UInt8(ascii: "%") {
      guard !isEscape(at: index) else { return 1 }
      problems.append(
        TemplateProblem(
          .urlCharacter, "'%' begins two hexadecimal digits in a URL; write '%25'", at: start,
          fix: "%25", isGuess: true))
      return 1
    }
    var run: [UInt8] = []
    var end = index
    while end < symbols.count, let byte = symbols[end].byte, !allowed.contains(byte),
      !ASCIISet("%#?").contains(byte)
    {
      if end > index { literal.append(byte) }
      run.append(byte)
      end += 1
    }
    let text = String(decoding: run, as: UTF8.self)
    let fix = URI.percentEncode(text)
    let shown = run.contains { $0 < 0x20 || $0 == 0x7F } ? "a control character" : "'\(text)'"
    problems.append(
      TemplateProblem(
        .urlCharacter, "\(shown) is not allowed in a URL; write '\(fix)'",
        at: start.lowerBound..<symbols[end - 1].range.upperBound, fix: fix))
    return end - index
  }

  /// The range of the whole character whose first byte is the symbol at `index`.
  private func characterRange(at index: Int) -> Range<Int> {
    var end = index + 1
    while end < symbols.count, let byte = symbols[end].byte, byte & 0xC0 == 0x80 { end += 1 }
    return symbols[index].range.lowerBound..<symbols[end - 1].range.upperBound
  }

  private func isEscape(at index: Int) -> Bool {
    guard index + 2 < symbols.count, let high = symbols[index + 1].byte,
      let low = symbols[index + 2].byte
    else { return false }
    return ASCIISet.hexadecimal.contains(high) && ASCIISet.hexadecimal.contains(low)
  }

  func startsWith(_ text: String, at start: Int = 0) -> Bool {
    guard start + text.utf8.count <= symbols.count else { return false }
    var index = start
    for byte in text.utf8 {
      if symbols[index].byte != byte { return false }
      index += 1
    }
    return true
  }
}

extension URLTemplate {
  /// The template of `text` and everything wrong with it.
  ///
  /// Wrong parts stay in the template as written, so that the right ones can still be judged.
  /// Linear in the length of the text.
  package static func parse(_ text: String) -> (url: URLTemplate, problems: [TemplateProblem]) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else {
      let problem = TemplateProblem(
        .endpoint, "a URL is missing; write a path, such as '/users', or a URL", at: 0..<0)
      return (URLTemplate(text: text, form: .relative, pieces: [], queryStart: nil), [problem])
    }
    // A blank around it is not part of it.
    var range = 0..<bytes.count
    while let first = range.first, ReferenceParser.isSpace(bytes[first]) {
      range = range.dropFirst()
    }
    while let last = range.last, ReferenceParser.isSpace(bytes[last]) { range = range.dropLast() }
    guard !range.isEmpty, range.count < bytes.count else {
      return URLTemplateParser.parse(bytes, in: 0..<bytes.count)
    }
    let (url, found) = URLTemplateParser.parse(bytes, in: range)
    let outer = [0..<range.lowerBound, range.upperBound..<bytes.count].filter { !$0.isEmpty }
    let blanks = outer.map {
      TemplateProblem(.endpoint, "a URL has no spaces around it; remove them", at: $0, fix: "")
    }
    return (url, (blanks + found).inOrder)
  }
}
