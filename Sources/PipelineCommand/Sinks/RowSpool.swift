internal import PipelineFormats
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineRecordings
internal import PipelineSinks
internal import PipelineTesting
internal import Synchronization

/// The rows of a run, in a file without a name, until all of them are there.
///
/// Memory stays flat however many they are.
final class RowSpool: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    /// The bytes of the file that are rows.
    var start = 0
    var size = 0
    var count = 0
    /// Whether the rows are at an end, and there are rows.
    var isComplete = false
    var problem: RecordingProblem?
  }

  private let file: FileSpool
  private let state = Mutex(State())

  private static let pieceSize = 1 << 16

  /// - Parameter folder: Where the file is made.
  init(folder: String) throws(RecordingProblem) {
    file = try FileSpool(folder: folder)
  }

  /// The number of rows; `nil` if they have not come to an end.
  var count: Int? { state.withLock { $0.isComplete ? $0.count : nil } }

  /// Why not all rows are there.
  var problem: RecordingProblem? { state.withLock { $0.problem } }

  /// Takes what a run reports about its rows.
  func receive(_ event: RowTap.Event) {
    state.withLock { state in
      switch event {
      case .row(let row):
        add(row, to: &state)
      case .end(let areWhole):
        if areWhole {
          flush(&state)
        } else {
          (state.size, state.count) = (0, 0)
          state.buffer.removeAll()
        }
        state.isComplete = true
      }
    }
  }

  /// Takes the elements of a list as rows, in place of those so far.
  func fill(with rows: Outputs.Elements) {
    state.withLock { state in
      (state.start, state.count) = (state.size, 0)
      state.buffer.removeAll()
      var writer = JSONWriter()
      for row in rows {
        writer.reset()
        writer.value(row)
        add(writer.bytes, to: &state)
      }
      flush(&state)
      state.isComplete = true
    }
  }

  private func add(_ row: [UInt8], to state: inout State) {
    state.buffer += row
    state.buffer.append(0x0A)
    state.count += 1
    if state.buffer.count >= Self.pieceSize { flush(&state) }
  }

  private func flush(_ state: inout State) {
    guard !state.buffer.isEmpty, state.problem == nil else { return }
    do throws(RecordingProblem) {
      state.size = try file.append(state.buffer).upperBound
    } catch {
      state.problem = error
    }
    state.buffer.removeAll(keepingCapacity: true)
  }

  // MARK: Reading

  /// Calls `body` with pieces of the rows' text: a line for each row.
  func forEachPiece(
    _ body: (_ bytes: [UInt8]) throws(TableProblem) -> Void
  ) throws(TableProblem) {
    var (start, size) = state.withLock { ($0.start, $0.size) }
    while start < size {
      let bytes = try read(start..<min(start + Self.pieceSize, size))
      guard !bytes.isEmpty else { throw TableProblem("cannot be read: rows are missing") }
      try body(bytes)
      start += bytes.count
    }
  }

  /// Calls `body` with each row.
  func forEachRow(_ body: (JSONNode) throws(TableProblem) -> Void) throws(TableProblem) {
    var line: [UInt8] = []
    try forEachPiece { bytes throws(TableProblem) in
      var rest = bytes[...]
      while let end = rest.firstIndex(of: 0x0A) {
        line += rest[..<end]
        rest = rest[(end + 1)...]
        try body(JSONDocument.written(line).root)
        line = []
      }
      line += rest
    }
  }

  private func read(_ range: Range<Int>) throws(TableProblem) -> [UInt8] {
    do throws(RecordingProblem) {
      return try file.read(range)
    } catch {
      throw TableProblem(error.message)
    }
  }
}
