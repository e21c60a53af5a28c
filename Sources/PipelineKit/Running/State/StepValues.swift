internal import JSONText

/// What others may read of the steps of a frame.
///
/// The values of steps that give nothing else join one text, piece by piece. A piece becomes one
/// document when the first of its values is read: thousands of small values that are read at random
/// are then some lines of memory each, and no objects, and what nobody reads is never laid out.
struct StepValues {
  private enum Entry {
    case none
    case known(ScopeValue)
    case unread(piece: Int)
  }

  /// Values of steps, one after the other.
  private struct Piece {
    /// A list without its closing.
    var text: [UInt8] = []
    var steps: [Int] = []
  }

  private var entries: [Entry]
  private var pieces: [Piece] = []

  /// How long the text of a piece may become, in bytes, but for its last value: what a reader takes
  /// elsewhere keeps the whole document.
  private static let greatest = 1 << 16

  init(of stepCount: Int) {
    entries = Array(repeating: .none, count: stepCount)
  }

  mutating func set(_ step: Int, to value: ScopeValue?) {
    entries[step] = value.map { .known($0) } ?? .none
  }

  /// Takes over the values of a step, which our own writer made.
  mutating func append(_ values: [UInt8], of step: Int) {
    if pieces.last.map({ $0.text.count >= Self.greatest }) ?? true { pieces.append(Piece()) }
    let last = pieces.count - 1
    if pieces[last].steps.isEmpty { pieces[last].text.reserveCapacity(values.count + 2) }
    pieces[last].text.append(UInt8(ascii: pieces[last].steps.isEmpty ? "[" : ","))
    pieces[last].text += values
    pieces[last].steps.append(step)
    entries[step] = .unread(piece: last)
  }

  /// What others may read of a step; `nil`: nothing.
  mutating func value(of step: Int) -> ScopeValue? {
    if case .unread(let piece) = entries[step] { layOut(piece) }
    if case .known(let value) = entries[step] { return value }
    return nil
  }

  private mutating func layOut(_ number: Int) {
    var piece = Piece()
    swap(&piece, &pieces[number])
    piece.text.append(UInt8(ascii: "]"))
    for (step, node) in zip(piece.steps, JSONDocument.written(piece.text).root.elements) {
      entries[step] = .known(ScopeValue(node))
    }
  }
}
