import PipelineTestSupport
import Testing

@testable import PipelineJSONText

struct WriterTests {
  private func text(
    _ style: JSONWriter.Style = .compact, _ write: (inout JSONWriter) -> Void
  ) -> String {
    var writer = JSONWriter(style: style)
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func writeSample(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("id")
    writer.integer(7)
    writer.name("tags")
    writer.beginArray()
    writer.string("a")
    writer.null()
    writer.boolean(true)
    writer.endArray()
    writer.name("none")
    writer.beginArray()
    writer.endArray()
    writer.name("nested")
    writer.beginObject()
    writer.name("x")
    writer.number("1.50")
    writer.endObject()
    writer.name("raw")
    writer.raw(Array("[1, 2]".utf8))
    writer.endObject()
  }

  @Test func compactTextHasNoWhiteSpace() {
    #expect(
      text { writeSample(&$0) }
        == #"{"id":7,"tags":["a",null,true],"none":[],"nested":{"x":1.50},"raw":[1, 2]}"#)
  }

  @Test func prettyTextHasALineForEachMember() {
    #expect(
      text(.pretty) { writeSample(&$0) } == """
        {
          "id": 7,
          "tags": [
            "a",
            null,
            true
          ],
          "none": [],
          "nested": {
            "x": 1.50
          },
          "raw": [1, 2]
        }
        """)
  }

  @Test func stringsAreEscapedWhereTheyMustBe() {
    #expect(
      text { $0.string("\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}é𝄞\u{2028}") }
        == "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u{7F}é𝄞\u{2028}\"")
  }

  @Test func aCopiedValueKeepsItsDigitsAndEscapes() throws {
    let source =
      #"{ "a" : [ 1.50 , 1E+05 , -0 , 12345678901234567890 ] , "b\u00e9" : "\u0041\/" , "c":{ } , "d" : [ ] }"#
    let node = try JSONDocument.parse(Array(source.utf8)).root
    #expect(
      text { $0.value(node) }
        == #"{"a":[1.50,1E+05,-0,12345678901234567890],"b\u00e9":"\u0041\/","c":{},"d":[]}"#)
    #expect(
      text {
        $0.beginArray()
        for member in node.members { $0.value(member.value) }
        $0.endArray()
      } == #"[[1.50,1E+05,-0,12345678901234567890],"\u0041\/",{},[]]"#)
  }

  @Test func aWriterIsUsedAgain() {
    var writer = JSONWriter()
    writeSample(&writer)
    writer.reset()
    writer.integer(Int64.min)
    #expect(writer.bytes == Array("-9223372036854775808".utf8))
    #expect(writer.document().root.number?.int == .min)
  }

  @Test(.enabled(if: Conformance.directory != nil, "there are no conformance files"))
  func theRoundTripFilesComeBackByteForByte() throws {
    var count = 0
    for number in 1...27 {
      let name = "roundtrip\(number < 10 ? "0" : "")\(number).json"
      guard let bytes = Conformance.read("json-benchmark-data/data/roundtrip/\(name)") else {
        continue
      }
      count += 1
      let document = try JSONDocument.parse(bytes)
      #expect(text { $0.value(document.root) } == document.root.text, "\(name)")
      #expect(JSONValue(document.root).document.root.isEqual(to: document.root), "\(name)")
    }
    #expect(count > 20)
  }

  @Test(
    .enabled(if: Conformance.directory != nil, "there are no conformance files"),
    arguments: ["twitter", "citm_catalog", "canada"])
  func theBenchmarkFilesComeBack(_ name: String) throws {
    let bytes = try #require(Conformance.read("json-benchmark-data/data/\(name).json"))
    let document = try JSONDocument.parse(bytes)
    for style in [JSONWriter.Style.compact, .pretty] {
      var writer = JSONWriter(style: style)
      writer.value(document.root)
      let written = writer.document()
      #expect(written.tape.count == document.tape.count)
      #expect(written.root.isEqual(to: document.root))
    }
  }

  @Test func valuesOfSwiftLiteralsAreDocuments() throws {
    let value: JSONValue = ["a": 1, "b": [nil, true, 1.5, "x"], "c": [:]]
    #expect(value.document.bytes == Array(#"{"a":1,"b":[null,true,1.5,"x"],"c":{}}"#.utf8))
    #expect(JSONValue(value.node) == value)
  }
}
