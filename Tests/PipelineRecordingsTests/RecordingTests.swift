import PipelineJSONText
import PipelineRecordings
import Testing

@Suite struct RecordingTests {
  private func exchange(_ key: RecordingKey, _ body: String = "{}") -> RecordedExchange {
    RecordedExchange(
      key: key,
      request: .init(
        method: "POST", url: "https://a.test/x?page=1&q=a%20b",
        headers: [RecordedField("Cookie", "a=1; b=2")],
        body: .bytes(Array(#"{"n":1}"#.utf8), type: "application/json")),
      outcome: .response(
        .init(
          status: 200,
          headers: [
            RecordedField("Content-Type", "application/json"), RecordedField("Date", "now"),
            RecordedField("CF-Ray", "1"), RecordedField("ETag", "\"1\""),
          ], body: Array(body.utf8))))
  }

  private func file(_ exchanges: [RecordedExchange]) -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = RecordingWriter(shapes: [("login.token", "aA0")])
    for exchange in exchanges {
      var text = JSONWriter()
      exchange.write(to: &text)
      writer.add(text.document().root) { bytes += $0 }
    }
    writer.finish { bytes += $0 }
    return bytes
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    let key = RecordingKey(step: "a.b", path: [3], item: 4, page: 1, poll: 2, attempt: 3)
    let recording = try Recording(MemoryRecording(file([exchange(key)])))
    #expect(recording.keys == [key])
    #expect(recording.shapes == ["login.token": "aA0"])
    let place = try #require(recording.places(for: key).first)
    let found = try recording.exchange(at: place)
    #expect(found.request == exchange(key).request)
    let response = try #require(found.response)
    #expect(response.headers.map(\.name) == ["Content-Type", "ETag"])
    #expect(response.body == Array("{}".utf8))
  }

  @Test func bytesThatAreNoTextSurvive() throws {
    let key = RecordingKey(step: "a")
    var binary = exchange(key)
    let bytes: [UInt8] = (0...255).map { $0 }
    binary.outcome = .response(.init(status: 200, body: bytes))
    binary.request.body = .bytes(bytes, type: "image/png")
    let recording = try Recording(MemoryRecording(file([binary])))
    let found = try recording.exchange(at: recording.places(for: key)[0])
    #expect(found.response?.body == bytes)
    #expect(found.request.body == binary.request.body)
  }

  @Test func failuresAndTokensHaveKeysOfTheirOwn() throws {
    var failed = exchange(RecordingKey(step: "a", attempt: 2))
    failed.outcome = .failure(kind: "timeout", message: "late")
    let recording = try Recording(
      MemoryRecording(file([exchange(RecordingKey(step: "")), failed])))
    #expect(recording.keys.map(\.isToken) == [true, false])
    let found = try recording.exchange(at: recording.places(for: recording.keys[1])[0])
    guard case .failure("timeout", "late") = found.outcome else {
      Issue.record("\(found.outcome)")
      return
    }
  }

  /// A source that gives a byte at a time.
  private struct Dripping: RecordingSource {
    let bytes: [UInt8]
    var size: Int { bytes.count }

    func read(_ range: Range<Int>) throws(RecordingProblem) -> [UInt8] {
      range.count > 1 && range.count != size - range.lowerBound
        ? Array(bytes[range]) : Array(bytes[range.lowerBound..<range.lowerBound + 1])
    }
  }

  @Test func aFileMayComeInPiecesOfAnyLength() throws {
    let keys = (0..<3).map { RecordingKey(step: "a", item: $0) }
    let bytes = file(keys.map { exchange($0, #"{"t":"}\"]{"}"#) })
    #expect(try Recording(Dripping(bytes: bytes)).keys == keys)
  }

  @Test(arguments: [
    // Chrome: pseudo fields, an error in place of a response, members of its own.
    (
      #"{"log":{"entries":[{"_initiator":{},"request":{"method":"get","url":"https://a.test/","headers":[{"name":":authority","value":"a.test"},{"name":"X","value":"1"}]},"response":{"status":0,"_error":"net::ERR_ABORTED"}},{"request":{"method":"GET","url":"https://a.test/b","headers":[]},"response":{"status":200,"headers":[],"content":{"size":2,"mimeType":"application/json","text":"e30=","encoding":"base64"}}}]}}"#,
      ["GET https://a.test/b"]
    ),
    // No log around, a status as a text, headers as an object.
    (
      #"{"entries":[{"request":{"method":"POST","url":"http://a.test/","headers":{"A":"b"},"postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a","value":"1"}]}},"response":{"status":"201","headers":{"B":"c"},"content":{"text":"ok"}}}]}"#,
      ["POST http://a.test/"]
    ),
    // Entries last, a list of pages that names entries in a text, no content.
    (
      #"{"log":{"pages":[{"title":"\"entries\":[{"}],"entries":[ {"request":{"method":"GET","url":"http://a.test/"},"response":{"status":204}} ,{"request":{"method":"GET","url":"http://a.test/2"},"response":{"status":204}}],"comment":""}}"#,
      ["GET http://a.test/", "GET http://a.test/2"]
    ),
  ])
  func otherToolsFilesAreRead(_ text: String, _ targets: [String]) throws {
    let recording = try Recording(MemoryRecording([0xEF, 0xBB, 0xBF] + Array(text.utf8)))
    #expect(recording.targets.map { $0.method + " " + $0.url } == targets)
  }

  @Test(arguments: [
    ("{}", "has no 'log.entries'; is it a HAR file?"),
    (#"{"log":{"entries":[{"#, "is cut off; record it again"),
    (#"{"log":{"entries":[{"a":}]}}"#, "is not JSON at byte"),
    (#"{"log":{"entries":[]},}"#, "is not JSON"),
  ])
  func whatIsNoRecordingIsRefused(_ text: String, _ message: String) {
    let error = #expect(throws: RecordingProblem.self) {
      try Recording(MemoryRecording(Array(text.utf8)))
    }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }

  @Test func keysAreSortedByStepItemsPagePollAndAttempt() {
    let keys = [
      RecordingKey(step: ""), RecordingKey(step: "a"), RecordingKey(step: "a", attempt: 2),
      RecordingKey(step: "a", poll: 1), RecordingKey(step: "a", page: 1),
      RecordingKey(step: "a", item: 0), RecordingKey(step: "a", item: 10),
      RecordingKey(step: "a", path: [0]), RecordingKey(step: "a.b"),
    ]
    #expect(keys.reversed().sorted() == keys)
  }
}
