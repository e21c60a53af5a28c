import PipelineByteText
package import PipelineSourceText

/// The edits between two JSON texts that differ in the white space between their tokens only.
package enum WhiteSpaceDifference {
  /// - Parameter part: Only white space in this part of the old text is changed.
  /// - Returns: `nil` if the texts differ in anything else.
  /// - Complexity: O(bytes).
  package static func edits(
    from old: [UInt8], to new: [UInt8], in part: Range<Int>
  ) -> [DiagnosticFix.Edit]? {
    var edits: [DiagnosticFix.Edit] = []
    var (first, second) = (0, 0)
    var isInString = false
    while true {
      if !isInString {
        let (from, to) = (end(of: old, from: first), end(of: new, from: second))
        if old[first..<from] != new[second..<to], part.lowerBound <= first, from <= part.upperBound
        {
          edits.append(
            DiagnosticFix.Edit(
              range: first..<from, replacement: String(decoding: new[second..<to], as: UTF8.self)))
        }
        (first, second) = (from, to)
      }
      guard first < old.count, second < new.count else { break }
      let byte = old[first]
      guard byte == new[second] else { return nil }
      if byte == UInt8(ascii: "\\"), isInString, first + 1 < old.count, second + 1 < new.count {
        guard old[first + 1] == new[second + 1] else { return nil }
        first += 1
        second += 1
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      }
      first += 1
      second += 1
    }
    return first == old.count && second == new.count ? edits : nil
  }

  private static func end(of bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    return index
  }
}
