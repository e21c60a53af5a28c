internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit

extension PartUnits {
  /// The facts about a unit that can be read from its line without its values.
  struct Line {
    let key: UnitKey
    let hasFailed: Bool

    /// - Returns: `nil` if the line is not a unit.
    init?(_ bytes: ArraySlice<UInt8>) {
      guard bytes.last == UInt8(ascii: "}") else { return nil }
      if let (key, state) = Self.quickly(bytes) {
        self.key = key
        hasFailed = ["failed", "secret"].contains(state)
        return
      }
      // Written in another way, or settled by a person.
      guard let record = record(Array(bytes)) else { return nil }
      key = record.key
      if case .failed = record.outcome { hasFailed = true } else { hasFailed = false }
    }

    /// The head of a line as `write` writes it.
    private static func quickly(_ bytes: ArraySlice<UInt8>) -> (UnitKey, state: String)? {
      var reader = Reader(bytes)
      guard reader.skip("{\"step\":\""), let step = reader.text(), reader.skip(",\"item\":["),
        let place = reader.numbers(), reader.skip(",\"digest\":\""), let digits = reader.text(),
        let digest = Fingerprint(hexadecimal: digits)
      else { return nil }
      if reader.skip(",\"items\":\""), reader.text() == nil { return nil }
      guard reader.skip(",\"state\":\""), let state = reader.text() else { return nil }
      return (UnitKey(step: step, place: place, digest: digest), state)
    }
  }

  private struct Reader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      position = bytes.startIndex
    }

    mutating func skip(_ text: StaticString) -> Bool {
      let count = text.utf8CodeUnitCount
      guard bytes.endIndex - position >= count else { return false }
      for index in 0..<count where bytes[position + index] != text.utf8Start[index] { return false }
      position += count
      return true
    }

    /// The text up to a quotation mark; `nil` if it has escapes, or no end.
    mutating func text() -> String? {
      var end = position
      while end < bytes.endIndex, bytes[end] != UInt8(ascii: "\"") {
        if bytes[end] == UInt8(ascii: "\\") { return nil }
        end += 1
      }
      guard end < bytes.endIndex else { return nil }
      defer { position = end + 1 }
      return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    /// The numbers up to a bracket.
    mutating func numbers() -> [Int]? {
      guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
      var numbers: [Int] = []
      for word in bytes[position..<end].split(separator: UInt8(ascii: ",")) {
        guard let number = Int(String(decoding: word, as: UTF8.self)) else { return nil }
        numbers.append(number)
      }
      position = end + 1
      return numbers
    }
  }
}
