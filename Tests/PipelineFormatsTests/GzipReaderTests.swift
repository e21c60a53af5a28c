import Testing

@testable import PipelineFormats

/// `printf hello | gzip -n`
private let hello: [UInt8] = [
  0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0x86, 0xA6, 0x10,
  0x36, 0x05, 0, 0, 0,
]

@Test func allMembersAreUnpacked() throws {
  #expect(try GzipReader.unpack(Array("hello".utf8), limit: 10) == nil)
  #expect(try GzipReader.unpack(hello, limit: 5) == Array("hello".utf8))
  #expect(try GzipReader.unpack(hello + hello + [0, 0], limit: 10) == Array("hellohello".utf8))
  for size in 1...hello.count {
    var reader = try GzipReader(limit: 10)
    var bytes: [UInt8] = []
    let packed = hello + hello
    for start in stride(from: 0, to: packed.count, by: size) {
      try reader.read(Array(packed[start..<min(start + size, packed.count)]), into: &bytes)
    }
    try reader.finish()
    #expect(bytes == Array("hellohello".utf8))
  }
}

@Test func brokenGzipIsNamed() {
  var wrong = hello
  wrong[18] ^= 1
  let cases: [([UInt8], Int, String)] = [
    (wrong, 10, "begins like gzip, but is not"),
    (Array(hello.dropLast()), 10, "is gzip that ends early"),
    (hello + hello.dropLast(3), 10, "is gzip that ends early"),
    (hello, 4, "is gzip that unpacks to more than the 4 bytes allowed"),
    (hello + [1, 2], 10, "begins like gzip, but is not"),
    (hello + [0, 2], 10, "begins like gzip, but is not"),
  ]
  for (bytes, limit, message) in cases {
    #expect(throws: GzipReader.Problem(message: message)) {
      try GzipReader.unpack(bytes, limit: limit)
    }
  }
}
