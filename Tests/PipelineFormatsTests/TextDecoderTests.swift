import Testing

@testable import PipelineFormats

@Test func eachEncodingComesAsUTF8() throws {
  let text = "a€😀\nz"
  let units = Array(text.utf16)
  let cases: [(Charset, [UInt8], String)] = [
    (.utf8, Array(text.utf8), text), (.utf8, [0xEF, 0xBB, 0xBF] + Array(text.utf8), text),
    (.utf16LittleEndian, units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, text),
    (.utf16BigEndian, units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, text),
    (.utf8, [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, text),
    (.windows1252, [0x80, 0xE4, 0x61], "€äa"),
  ]
  for (charset, bytes, expected) in cases {
    for size in 1...bytes.count {
      var decoder = TextDecoder(charset)
      var decoded: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        decoded += try decoder.decode(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      decoded += try decoder.decode([], isLast: true)
      #expect(String(decoding: decoded, as: UTF8.self) == expected)
    }
  }
}

@Test func halfACharacterIsNamed() {
  var decoder = TextDecoder(.utf16LittleEndian)
  #expect(throws: FormatProblem.self) { try decoder.decode([0x61, 0, 0x3D], isLast: true) }
}
