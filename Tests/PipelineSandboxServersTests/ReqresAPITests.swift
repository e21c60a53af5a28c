import PipelineJSONText
import PipelineTestTraits
import Testing

@testable import PipelineHTTPServers
@testable import PipelineSandboxServers

/// One state and one router, asked without a socket.
struct Asked {
  var state = SandboxState()
  var moment = ServerMoment(sinceStart: 0, unixSeconds: 1_767_225_600)
  private let router = Router()

  mutating func callAsFunction(
    _ method: String, _ target: String, headers: [(String, String)] = [], body: String = ""
  ) -> ServerResponse {
    var request = ServerRequest(
      method: method, target: target, headers: headers.map { ServerRequest.Field($0.0, $0.1) },
      body: Array(body.utf8))
    request.moment = moment
    return router.respond(to: request, &state)
  }
}

extension ServerResponse {
  var bytes: [UInt8] {
    switch content {
    case .bytes(let bytes): return bytes
    case .stream(let source):
      var bytes: [UInt8] = []
      while let piece = source.next() { bytes += piece }
      return bytes
    case .script, .awaited, .pushed: return []
    }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  var parsed: JSONNode? { try? JSONDocument.parse(bytes).root }

  func header(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}

@Suite(.ownThreads) struct ReqresAPITests {
  @Test func usersComeInPages() throws {
    var ask = Asked()
    let page = try #require(ask("GET", "/reqres/users?page=2").parsed)
    #expect(
      page.members.map(\.name) == [
        "page", "per_page", "total", "total_pages", "data", "support",
      ])
    #expect(page["total"]?.number?.int == 12)
    #expect(page["total_pages"]?.number?.int == 2)
    #expect(page["data"]?.elements.map { $0["id"]?.number?.int } == [7, 8, 9, 10, 11, 12])
    #expect(page["data"]?[0]?["email"]?.string == "michael.lawson@reqres.in")
    #expect(
      page["data"]?[0]?.members.map(\.name) == [
        "id", "email", "first_name", "last_name", "avatar",
      ])
    #expect(ask("GET", "/reqres/users?page=99").parsed?["data"]?.count == 0)
    #expect(ask("GET", "/reqres/users?per_page=5").parsed?["total_pages"]?.number?.int == 3)
  }

  @Test func oneUserIsFoundByID() {
    var ask = Asked()
    #expect(ask("GET", "/reqres/users/2").parsed?["data"]?["first_name"]?.string == "Janet")
    for id in ["0", "13", "x", "-1", "99999999999999999999"] {
      let missing = ask("GET", "/reqres/users/\(id)")
      #expect(missing.status == 404)
      #expect(missing.text == "{}")
    }
  }

  @Test func creatingAnswersWithTheBodyAnIDAndATime() throws {
    var ask = Asked()
    let first = ask("POST", "/reqres/users", body: #"{"name":"morpheus","age":1.50}"#)
    #expect(first.status == 201)
    #expect(
      first.text == #"{"name":"morpheus","age":1.50,"id":"101","createdAt":"2026-01-01T00:00:00Z"}"#
    )
    #expect(ask("POST", "/reqres/users").parsed?["id"]?.string == "102")
    #expect(ask("POST", "/reqres/users", body: "[1").status == 400)
  }

  @Test func changingAndDeletingAnswerAsReqresDoes() {
    var ask = Asked()
    for method in ["PUT", "PATCH"] {
      let answer = ask(method, "/reqres/users/2", body: #"{"job":"zion"}"#)
      #expect(answer.text == #"{"job":"zion","updatedAt":"2026-01-01T00:00:00Z"}"#)
    }
    #expect(ask("DELETE", "/reqres/users/2").status == 204)
  }

  @Test(arguments: [
    (#"{"email":"eve.holt@reqres.in","password":"cityslicka"}"#, 200, "token"),
    (#"{"email":"eve.holt@reqres.in"}"#, 400, "Missing password"),
    (#"{"password":"x"}"#, 400, "Missing email or username"),
    (#"{"email":"who@reqres.in","password":"x"}"#, 400, "user not found"),
    ("", 400, "Missing email or username"),
  ])
  func loginsAreChecked(_ body: String, _ status: Int, _ part: String) {
    var ask = Asked()
    let answer = ask("POST", "/reqres/login", body: body)
    #expect(answer.status == status)
    #expect(answer.text.contains(part))
  }

  @Test func anyAnswerCanBeHeldBackForABoundedTime() {
    var ask = Asked()
    #expect(ask("GET", "/reqres/users?delay=0.25").delay == .milliseconds(250))
    #expect(ask("GET", "/reqres/users?delay=1e9").delay == .seconds(60))
    #expect(ask("GET", "/reqres/users?delay=-3").delay == .zero)
    #expect(ask("GET", "/reqres/users?delay=nan").delay == .zero)
  }
}
