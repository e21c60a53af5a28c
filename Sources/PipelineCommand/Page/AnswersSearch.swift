internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRecordings

/// Looks for a text in the targets and bodies of a step's answers, a part of them at a time. So what
/// is found can be shown before all is searched, and who asks can stop.
struct AnswersSearch {
  private let answers: PageAnswers
  private let text: String
  private let needle: [UInt8]
  /// The text as JSON has it between quotes.
  private let written: [UInt8]

  /// How much of a recording is read for one part.
  static let mostBytes = 16 << 20

  init(_ answers: PageAnswers, for text: String) {
    self.answers = answers
    self.text = text
    needle = Array(text.utf8)
    var writer = JSONWriter()
    writer.string(text)
    written = Array(writer.bytes.dropFirst().dropLast())
  }

  /// A part of the search.
  ///
  /// - Parameters:
  ///   - start: How many answers of the step come before the part.
  ///   - most: How many bytes are read.
  /// - Returns: The numbers of the rows that have the text, and where the next part begins; `nil` if
  ///   that was the last one.
  func found(
    in step: String, onlyBad: Bool, from start: Int, most: Int = Self.mostBytes
  ) throws(RecordingProblem) -> (rows: [Int], next: Int?) {
    let range = answers.range(ofStep: step)
    var rows: [Int] = []
    var count = 0
    for row in range.dropFirst(max(0, start)) where !onlyBad || answers.rows[row].isBad {
      if count >= most { return (rows, row - range.lowerBound) }
      count += answers.rows[row].bytes.count
      if try has(row) { rows.append(row) }
    }
    return (rows, nil)
  }

  private func has(_ row: Int) throws(RecordingProblem) -> Bool {
    let summary = answers.rows[row].summary
    if summary.url.contains(bytes: text) { return true }
    if let status = summary.status, text.equals(bytes: String(status)) { return true }
    let entry = try answers.text(of: row)
    // An entry is decoded only if it may have the text.
    guard entry.contains(subsequence: written) || Self.isWrittenOtherwise(entry) else {
      return false
    }
    return PageAnswers.exchange(entry)?.response?.body.contains(subsequence: needle) ?? false
  }

  /// Whether a body may be written in another way than this program writes it.
  private static func isWrittenOtherwise(_ entry: [UInt8]) -> Bool {
    if has(entry, "base64") { return true }
    guard has(entry, #"\u"#) || has(entry, #"\/"#) else { return false }
    var index = 0
    while let place = entry[index...].firstIndex(of: UInt8(ascii: "\\")), place + 1 < entry.count {
      if "u/".utf8.contains(entry[place + 1]) { return true }
      // A backslash may be what is escaped.
      index = place + 2
    }
    return false
  }

  private static func has(_ entry: [UInt8], _ text: String) -> Bool {
    entry.contains(subsequence: Array(text.utf8))
  }
}
