internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates

/// The values of a frame's steps, and the writing of values for `values` steps.
///
/// The values of `values` steps join one text, piece by piece. A piece becomes one document when
/// the first of its values is read, and a value that is never read is never laid out.
///
/// Short values that `values` steps read of each other are kept a second time, under the numbers
/// that the plan gave them (`ValuesPlan`). A step that gives nothing but such values and constants
/// is written without a scope, a document or an expression. This is why plans of 100,000 `values`
/// steps are fast, and it is known to this type alone.
struct ValueTable {
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
  /// The short values, under the numbers of the plan.
  private var shortValues: [ShortScalar]

  /// The length in bytes from which a piece gets no further value. A reader that keeps one value
  /// keeps the whole document.
  private static let pieceSize = 1 << 16

  /// - Parameter keptCount: How many numbers the plan gave. Values without a number are not kept.
  init(stepCount: Int = 0, keptCount: Int = 0) {
    entries = Array(repeating: .none, count: stepCount)
    shortValues = Array(repeating: .empty, count: keptCount)
  }

  // MARK: Values of steps

  mutating func set(_ step: Int, to value: ScopeValue?) {
    entries[step] = value.map { .known($0) } ?? .none
  }

  /// Takes over the values of a step, which our own writer made.
  mutating func append(_ values: [UInt8], of step: Int) {
    if pieces.last.map({ $0.text.count >= Self.pieceSize }) ?? true { pieces.append(Piece()) }
    let last = pieces.count - 1
    if pieces[last].steps.isEmpty { pieces[last].text.reserveCapacity(values.count + 2) }
    pieces[last].text.append(UInt8(ascii: pieces[last].steps.isEmpty ? "[" : ","))
    pieces[last].text += values
    pieces[last].steps.append(step)
    entries[step] = .unread(piece: last)
  }

  /// The values of a step that others may read; `nil` if there is none.
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

  // MARK: Writing

  /// Writes the object of a `values` step.
  mutating func write(
    _ plan: ValuesPlan, of step: Step, to writer: inout JSONWriter, in scope: Scope,
    from source: DataScope
  ) throws(FailureReason) {
    writer.beginObject()
    do throws(DataError) {
      for (number, member) in zip(0..., plan.members) {
        if let value = shortValue(of: member) {
          write(value, of: member, to: &writer)
          continue
        }
        let node: JSONNode?
        switch member.source {
        case .scalar: node = nil
        case .member(let name, let read): node = scope.shared.value(ofRead: read)?.node[name]
        case .constant(let constant): node = constant
        case .data(let data):
          try data.write(member: member.name, to: &writer, from: source)
          continue
        }
        guard let node else { continue }
        writer.name(member.name)
        let start = writer.bytes.count
        writer.value(node)
        try DataTemplate.checkDepth(of: writer, at: step.node(ofValue: number))
        if member.number != nil, let value = writer.scalar(from: start) { keep(value, of: member) }
      }
    } catch {
      throw FailureReason(error)
    }
    writer.endObject()
  }

  /// Writes the object of a `values` step if all its values are constants or kept. Otherwise
  /// returns `false`, and the text is of no use.
  mutating func writeKept(_ plan: ValuesPlan, to writer: inout JSONWriter) -> Bool {
    writer.beginObject()
    // By number, because a member is large to copy.
    for index in plan.members.indices {
      guard let value = shortValue(of: plan.members[index]) else {
        forget(plan)
        return false
      }
      write(value, of: plan.members[index], to: &writer)
    }
    writer.endObject()
    return true
  }

  /// A step failed, so what was kept of it is not readable.
  mutating func forget(_ plan: ValuesPlan) {
    for member in plan.members { keep(.empty, of: member) }
  }

  private mutating func write(
    _ value: ShortScalar, of member: ValuesPlan.Member, to writer: inout JSONWriter
  ) {
    writer.name(member.name)
    writer.scalar(value)
    keep(value, of: member)
  }

  /// The value of a member that is a constant or is kept; `nil` if it is neither.
  private func shortValue(of member: ValuesPlan.Member) -> ShortScalar? {
    if case .scalar(let value) = member.source { return value }
    guard let number = member.sourceNumber, number < shortValues.count,
      !shortValues[Int(number)].isEmpty
    else { return nil }
    return shortValues[Int(number)]
  }

  /// Keeps the value of a member that others read.
  private mutating func keep(_ value: ShortScalar, of member: ValuesPlan.Member) {
    if let number = member.number, number < shortValues.count { shortValues[Int(number)] = value }
  }
}
