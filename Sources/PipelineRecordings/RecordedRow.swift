/// What a list shows of one entry of a recording, and where the entry is.
package struct RecordedRow: Sendable {
  package let key: RecordingKey
  package let summary: RecordedExchange.Summary
  /// Where it is in the recording.
  package let bytes: Range<Int>

  /// - Parameter number: How many entries come before, which identifies one of another tool.
  package init(_ summary: RecordedExchange.Summary, number: Int, bytes: Range<Int>) {
    key = summary.key ?? RecordingKey(step: "", redirect: number)
    self.summary = summary
    self.bytes = bytes
  }

  package var isBad: Bool { summary.status.map { $0 >= 400 } ?? true }
}
