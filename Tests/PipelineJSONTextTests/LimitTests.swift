import PipelineTestSupport
import Testing

@testable import PipelineJSONText

/// What a document takes and how great it may be.
struct LimitTests {
  private static let records: [UInt8] = {
    let rows = (0..<2000).map { id in
      #"{"id":\#(id),"email":"user\#(id)@example.com","name":"Jürgen","active":true,"#
        + #""balance":\#(id).50,"manager":null,"tags":["staff","level-\#(id % 7)"]}"#
    }
    return Array((#"{"page":1,"data":["# + rows.joined(separator: ",") + "]}").utf8)
  }()

  /// What the tape takes, the part that is allocated and not used included.
  private func tapeBytes(_ bytes: [UInt8]) throws -> Int {
    try JSONDocument.parse(bytes).tape.capacity * MemoryLayout<UInt64>.stride
  }

  @Test func aTapeOfRecordsTakesAtMostHalfAsMuchAgainAsTheText() throws {
    #expect(try tapeBytes(Self.records) * 2 <= Self.records.count * 3)
    let pretty = JSONWriter.pretty(try JSONDocument.parse(Self.records).root)
    #expect(try tapeBytes(pretty) * 2 <= pretty.count * 3)
    // One record, which is parsed into room on the stack: what it takes is what it needs.
    let record = Array(#"{"data":{"id":1000007,"email":"ken.7@example.com","active":true}}"#.utf8)
    // The allocator may give one or another a few words more than it was asked for.
    let documents = try (0..<32).map { _ in try JSONDocument.parse(record) }
    #expect(documents.allSatisfy { $0.tape.count == 11 })
    let capacity = try #require(documents.map(\.tape.capacity).min())
    #expect(capacity * MemoryLayout<UInt64>.stride * 2 <= record.count * 3)
  }

  @Test(
    .enabled(if: Conformance.directory != nil, "there are no conformance files"),
    arguments: ["twitter", "citm_catalog"])
  func theTapesOfTheBenchmarkFilesAreNoLonger(_ name: String) throws {
    let bytes = try #require(Conformance.read("json-benchmark-data/data/\(name).json"))
    #expect(try tapeBytes(bytes) * 2 <= bytes.count * 3)
  }

  @Test func aTextBeyondWhatOffsetsReachIsRefused() throws {
    let bytes = Array(#"{"id": 7}"#.utf8)
    #expect(throws: Never.self) {
      try JSONDocument.parse(bytes, depthLimit: 512, lengthLimit: bytes.count)
    }
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONDocument.parse(bytes, depthLimit: 512, lengthLimit: bytes.count - 1)
    }
    #expect(error?.code == .tooLarge)
    #expect(
      error?.message == "a JSON text of 9 bytes is longer than the 4 GB that can be read")
    #expect(TapeElement.offsetLimit == 4 * 1024 * 1024 * 1024 - 1)
    let last = TapeElement(.string, offset: TapeElement.offsetLimit, span: TapeElement.spanLimit)
    #expect(last.offset == TapeElement.offsetLimit && last.span == TapeElement.spanLimit)
    #expect(last.kind == .string)
  }

  @Test func whatIsWrittenMayNestAsDeepAsAnyDocument() {
    func nested(_ depth: Int) -> JSONDocument {
      var writer = JSONWriter()
      for _ in 0..<depth { writer.beginArray() }
      for _ in 0..<depth { writer.endArray() }
      return writer.document()
    }
    #expect(nested(1024).tape.count == 2048)
    #expect(nested(1024).root.isEqual(to: nested(1024).root))
    let tooDeep = nested(1025)
    #expect(tooDeep.isWellFormed && tooDeep.tape.count < 2050)
  }
}

extension JSONWriter {
  fileprivate static func pretty(_ node: JSONNode) -> [UInt8] {
    var writer = JSONWriter(style: .pretty)
    writer.value(node)
    return writer.bytes
  }
}
