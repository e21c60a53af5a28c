/// One byte of the author's text, or a reference. It is small, because most symbols are bytes.
enum URLSymbol {
  /// A byte and the offsets of its text.
  case byte(UInt8, Range<Int>)
  /// A reference by its number, and its place.
  case reference(Int, Range<Int>)
  /// Text that is reported already. It causes no further problem.
  case opaque(Range<Int>)

  var range: Range<Int> {
    switch self {
    case .byte(_, let range), .reference(_, let range), .opaque(let range): range
    }
  }

  var byte: UInt8? {
    if case .byte(let byte, _) = self { byte } else { nil }
  }

  /// The symbols of `range` of `bytes`, including references, and the problems in the texts and
  /// references themselves.
  static func symbols(
    of bytes: [UInt8], in range: Range<Int>
  ) -> ([URLSymbol], [Template.Reference], [TemplateProblem]) {
    var pieces: [BraceScanner.Piece] = []
    pieces.reserveCapacity(3)
    pieces += BraceScanner(bytes, in: range)
    var problems = ForeignDialect.inURL(bytes, pieces, end: range.upperBound)
    var isForeign: [Bool] = []
    if !problems.isEmpty {
      isForeign = [Bool](repeating: false, count: range.upperBound)
      for problem in problems {
        for index in problem.range { isForeign[index] = true }
      }
    }
    var references: [Template.Reference] = []
    var symbols: [URLSymbol] = []
    symbols.reserveCapacity(range.count)
    for piece in pieces {
      switch piece {
      case .text(let text):
        for index in text {
          let range = index..<index + 1
          symbols.append(
            !isForeign.isEmpty && isForeign[index] ? .opaque(range) : .byte(bytes[index], range))
        }
      case .escapedBraces(let run):
        for start in stride(from: run.lowerBound, to: run.upperBound, by: 2) {
          symbols.append(.byte(UInt8(ascii: "{"), start..<start + 2))
        }
      case .unclosed(let range):
        problems.append(ReferenceParser.unclosed(bytes, at: range))
        symbols.append(.opaque(range))
      case .reference(let outer, let inner):
        switch ReferenceParser.parse(bytes, outer: outer, inner: inner) {
        case .success(let reference):
          symbols.append(.reference(references.count, outer))
          references.append(reference)
        case .failure(let problem):
          if isForeign.isEmpty || !isForeign[outer.lowerBound] { problems.append(problem) }
          symbols.append(.opaque(outer))
        }
      }
    }
    return (symbols, references, problems)
  }
}
