import PipelineJSONText
import PipelineRPC
import Testing

@Suite struct RPCMessageTests {
  private func parsed(_ text: String) throws -> RPCMessage {
    try RPCMessage(parsing: Array(text.utf8))
  }

  @Test func aRequestKeepsItsNameAsItWasWritten() throws {
    for name in ["7", "1.50", #""a7""#] {
      let message = try parsed(#"{"jsonrpc":"2.0","id":\#(name),"method":"m","params":{"x":1}}"#)
      guard case .request(let identifier, let method, let parameters) = message else {
        Issue.record("not a request")
        return
      }
      #expect(method == "m" && parameters?["x"]?.text == "1")
      let answer = RPCMessage.response(identifier, .success(nil))
      #expect(
        String(decoding: answer, as: UTF8.self)
          == #"{"jsonrpc":"2.0","id":\#(name),"result":null}"#)
    }
  }

  @Test func aMessageWithoutNameIsANotification() throws {
    guard case .notification("exit", nil) = try parsed(#"{"jsonrpc":"2.0","method":"exit"}"#) else {
      Issue.record("not a notification")
      return
    }
  }

  @Test func anErrorIsAResponse() throws {
    let message = try parsed(
      #"{"jsonrpc":"2.0","id":"p1","error":{"code":-32601,"message":"no"}}"#)
    guard case .response(.string("p1"), .failure(let error)) = message else {
      Issue.record("not an error")
      return
    }
    #expect(error == RPCError(code: -32601, message: "no"))
  }

  @Test(arguments: [
    ("{", -32700), ("[]", -32600), (#"{"id":1,"method":"m"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":null,"method":"m"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"m","params":3}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1}"#, -32600),
  ])
  func anythingElseIsAnErrorWithItsCode(_ text: String, _ code: Int) {
    let error = #expect(throws: RPCError.self) { try parsed(text) }
    #expect(error?.code == code)
  }
}
