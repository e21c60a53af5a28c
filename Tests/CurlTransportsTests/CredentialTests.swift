import CurlTransports
import Foundation
import PipelineKit
import PipelineTestTraits
import Synchronization
import Testing

@Suite(.ownThreads) struct CredentialTests {
  let transport = CurlTransport()

  @Test(arguments: [
    TransportBody.none, .bytes(Array("small".utf8)),
    .bytes([UInt8](repeating: 120, count: 600_000)),
    .multipart([.init(name: "a", content: .bytes([65]))]),
  ])
  func digestAnswersTheChallengeAndSendsTheBodyAgain(_ body: TransportBody) async throws {
    let requests = Mutex<[String]>([])
    let server = try RawServer { connection in
      while let text = connection.readRequest() {
        requests.withLock { $0.append(text) }
        connection.write(
          text.contains("Authorization: Digest ")
            ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            : "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\", "
              + "qop=\"auth\", algorithm=SHA-256\r\nContent-Length: 4\r\n\r\nfail")
      }
    }
    var request = TransportRequest(method: "POST", url: server.url("/a?b=c"), body: body)
    request.connection.credentials = .digest(user: "ann", password: "p:w")
    let response = try await transport.send(request)
    #expect(response.status == 200)
    #expect(response.body == Array("ok".utf8))
    #expect(response.headers.map(\.name) == ["Content-Length"])
    let last = try #require(requests.withLock { $0.last })
    #expect(last.contains("username=\"ann\"") || last.contains("username=ann"))
    #expect(last.contains("uri=\"/a?b=c\""))
    #expect(last.contains("nonce=\"n\""))
    switch body {
    case .bytes(let bytes): #expect(last.bodyPart.utf8.elementsEqual(bytes))
    case .multipart: #expect(last.contains("name=\"a\""))
    default: #expect(last.bodyPart.isEmpty)
    }
  }

  @Test func digestWithAWrongPasswordHandsBackTheRefusal() async throws {
    let server = try RawServer(
      answering: "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"r\", "
        + "nonce=\"n\", qop=\"auth\"\r\nContent-Length: 4\r\n\r\nfail")
    var request = TransportRequest(url: server.url())
    request.connection.credentials = .digest(user: "ann", password: "wrong")
    let response = try await transport.send(request)
    #expect(response.status == 401)
    #expect(response.body == Array("fail".utf8))
  }

  @Test func anAWSRequestIsSigned() async throws {
    let server = try RawServer.echo()
    var request = TransportRequest(
      method: "POST", url: server.url("/?Action=List"),
      headers: [HeaderField("Content-Type", "application/json")], body: .bytes(Array("{}".utf8)))
    request.connection.credentials = .awsSigV4(
      service: "sqs", region: "eu-central-1", accessKey: "AKID", secretKey: "secret",
      sessionToken: "token")
    let text = String(decoding: try await transport.send(request).body, as: UTF8.self)
    #expect(text.contains("\r\nAuthorization: AWS4-HMAC-SHA256 Credential=AKID/"))
    #expect(text.contains("/eu-central-1/sqs/aws4_request, SignedHeaders="))
    #expect(text.contains("\r\nX-Amz-Date: "))
    #expect(text.contains("\r\nX-Amz-Security-Token: token\r\n"))
    #expect(!text.contains("secret"))
    #expect(text.bodyPart == "{}")
  }
}
