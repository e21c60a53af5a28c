import PipelineRPC
import PipelineTestSupport
import Testing

@Suite struct MessageFramingTests {
  @Test(arguments: [MessageFraming.Style.contentLength, .lines])
  func messagesAreTheSameHoweverTheyAreCut(_ style: MessageFraming.Style) throws {
    let messages = ["{}", #"{"a":"é😀"}"#, "[1,2,3]"].map { Array($0.utf8) }
    let stream = messages.flatMap { MessageFraming(style).framed($0) }
    for size in 1...stream.count {
      var framing = MessageFraming(style)
      var found: [[UInt8]] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        framing.append(stream[start..<min(start + size, stream.count)])
        while let message = try framing.next() { found.append(message) }
      }
      #expect(found == messages, "pieces of \(size)")
    }
  }

  @Test func otherHeadersAndTheirCaseDoNotMatter() throws {
    var framing = MessageFraming(.contentLength)
    framing.append(
      "content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:2\r\n\r\n{}".utf8)
    #expect(try framing.next() == Array("{}".utf8))
  }

  @Test(arguments: [
    "Content-Length: x\r\n\r\n", "Content-Length: -1\r\n\r\n", "\r\n", "nonsense\r\n",
    "Content-Length: 99\r\n\r\n", String(repeating: "a", count: 5000),
    "Content-Length: 99999999999999999999\r\n\r\n",
  ])
  func whatIsNotFramedOrTooLargeIsRefused(_ text: String) {
    var framing = MessageFraming(.contentLength, limit: 50)
    framing.append(text.utf8)
    #expect(throws: MessageFraming.Problem.self) { try framing.next() }
  }

  @Test func aLineThatIsTooLongIsRefusedBeforeItsEnd() {
    var framing = MessageFraming(.lines, limit: 10)
    framing.append(Array(repeating: 0x20, count: 11))
    #expect(throws: MessageFraming.Problem.self) { try framing.next() }
  }

  @Test func emptyLinesAreNoMessages() throws {
    var framing = MessageFraming(.lines)
    framing.append("\n\r\n{}\r\n".utf8)
    #expect(try framing.next() == Array("{}".utf8))
  }
}
