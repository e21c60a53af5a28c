/// Which bytes a text may consist of (YAML 1.2.2 §5.1, §5.2).
enum YAMLEncoding {
  /// The first byte that is not UTF-8 or is a control character; `nil` if there is none.
  static func fault(in input: UnsafeBufferPointer<UInt8>) -> YAMLProblem? {
    var offset = 0
    while offset < input.count {
      let byte = input[offset]
      if byte >= 0x20 && byte < 0x7F || byte == 0x0A || byte == 0x09 || byte == 0x0D {
        offset += 1
        continue
      }
      if byte < 0x80 {
        let isWide = byte == 0 && input.count > 1
        return YAMLProblem(
          isWide
            ? "the text is not UTF-8; save it as UTF-8"
            : "a control character is not allowed here; write it as an escape in double quotes",
          range: offset..<offset + 1, code: .encoding)
      }
      let length = sequenceLength(input, offset)
      if length == 0 {
        return YAMLProblem(
          "the text is not UTF-8; save it as UTF-8", range: offset..<offset + 1, code: .encoding)
      }
      offset += length
    }
    return nil
  }

  /// The length of the well-formed sequence at `offset` (RFC 3629 §4); 0 if there is none.
  private static func sequenceLength(_ input: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Int {
    let lead = input[offset]
    let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
    guard length > 0, offset + length <= input.count else { return 0 }
    let second = input[offset + 1]
    let least: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
    let greatest: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
    guard second >= least, second <= greatest else { return 0 }
    for index in offset + 2..<max(offset + length, offset + 2)
    where input[index] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
