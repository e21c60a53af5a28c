import Testing

@testable import PipelineFormats

/// The examples and rules of the HTML Standard §9.2.6, as the cases of web-platform-tests
/// (eventsource/) put them.
@Test(arguments: [
  ("data: YHOO\ndata: +2\ndata: 10\n\n", #"[{"event":"message","data":"YHOO\n+2\n10"}]"#),
  (
    ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
    #"[{"event":"message","data":"first event","id":"1"},{"event":"message","data":"second event"},"#
      + #"{"event":"message","data":" third event"}]"#
  ),
  (
    "data\n\ndata\ndata\n\ndata:",
    #"[{"event":"message","data":""},{"event":"message","data":"\n"}]"#
  ),
  (
    "data:test\n\ndata: test\n\n",
    #"[{"event":"message","data":"test"},{"event":"message","data":"test"}]"#
  ),
  (
    "event: add\ndata: 1\n\ndata: 2\n\n",
    #"[{"event":"add","data":"1"},{"event":"message","data":"2"}]"#
  ),
  (
    "data:a\r\rdata:b\r\n\r\ndata:c\n\n",
    #"[{"event":"message","data":"a"},{"event":"message","data":"b"},{"event":"message","data":"c"}]"#
  ),
  ("\u{FEFF}data:1\n\n\u{FEFF}data:2\n\n", #"[{"event":"message","data":"1"}]"#),
  ("data:1\n\u{0}data:2\nData:3\n data:4\ndata:5\n\n", #"[{"event":"message","data":"1\n5"}]"#),
  ("id: a\u{0}b\ndata:1\n\n", #"[{"event":"message","data":"1"}]"#),
  ("retry: 1000\ndata:1\nretry\n\nretry:5\n\n", #"[{"event":"message","data":"1"}]"#),
  ("event: x\n\ndata: 1\n\n", #"[{"event":"message","data":"1"}]"#),
  (
    "data: {\"a\": [1, 2]}\n\ndata: [DONE]\n\n",
    #"[{"event":"message","data":{"a": [1, 2]}},{"event":"message","data":"[DONE]"}]"#
  ),
  ("data: {\ndata: }\n\n", #"[{"event":"message","data":{}}]"#),
  ("data: never ended\n", "[]"),
  (
    "data:\u{0}\ndata:  2\rData:1\ndata\u{0}:2\ndata:1\r\u{0}data:4\nda-ta:3\rdata_5\ndata:3\r"
      + "data:\r\n data:32\ndata:4\n\n",
    #"[{"event":"message","data":"\u0000\n 2\n1\n3\n\n4"}]"#
  ),
  (":\r:\n:\u{0}\ndata:1\r:\n\n", #"[{"event":"message","data":"1"}]"#),
  (
    "data:a\nid: 1\n\ndata:b\n\nid\ndata:c\n\n",
    #"[{"event":"message","data":"a","id":"1"},{"event":"message","data":"b","id":"1"},"#
      + #"{"event":"message","data":"c"}]"#
  ),
  ("id: 1\n\ndata:a\n\n", #"[{"event":"message","data":"a","id":"1"}]"#),
  (
    "id: 1\nid: 2\u{0}\ndata:a\n\n", #"[{"event":"message","data":"a","id":"1"}]"#
  ),
  ("event:\ndata:a\n\n", #"[{"event":"message","data":"a"}]"#),
  ("event:a\nevent:b\ndata:1\n\n", #"[{"event":"b","data":"1"}]"#),
  ("data:ok\u{2026}\n\n", "[{\"event\":\"message\",\"data\":\"ok\u{2026}\"}]"),
])
func eventsAreReadAsTheStandardSays(text: String, expected: String) throws {
  let bytes = Array(text.utf8)
  for size in 1...bytes.count {
    var reader = EventReader()
    var rows = RowText(.list)
    for start in stride(from: 0, to: bytes.count, by: size) {
      try reader.read(Array(bytes[start..<min(start + size, bytes.count)]), to: &rows)
    }
    #expect(String(decoding: rows.list(), as: UTF8.self) == expected)
  }
}

@Test func anEventIsLimited() {
  var reader = EventReader(limit: 20)
  var rows = RowText(.list)
  #expect(throws: FormatProblem.self) {
    for _ in 0..<10 { try reader.read(Array("data: 123456\n".utf8), to: &rows) }
  }
}

/// The last `id` is in each row that follows it.
@Test func aLongIDIsNoTrap() throws {
  let id = String(repeating: "i", count: 100_000)
  let text = "id:\(id)\n" + String(repeating: "data\n\n", count: 100)
  #expect(throws: FormatProblem(RowText.growth, line: 24, column: 1)) {
    try BodyFormat.events.rows(of: Array(text.utf8), limit: 1_000_500)
  }
}

@Test func eventsAreUTF8WhateverTheirTypeSays() throws {
  let json = try BodyFormat.events.json(
    of: Array("data: ä\n\n".utf8), charset: nil,
    contentType: "text/event-stream;charset=windows-1252", limit: .max)
  #expect(json == Array(#"[{"event":"message","data":"ä"}]"#.utf8))
}

@Test func whatIsNotUTF8IsReplaced() throws {
  var reader = EventReader()
  var rows = RowText(.list)
  try reader.read(Array("data: a".utf8) + [0xFF] + Array("b\n\n".utf8), to: &rows)
  #expect(
    String(decoding: rows.list(), as: UTF8.self)
      == "[{\"event\":\"message\",\"data\":\"a\u{FFFD}b\"}]")
}
