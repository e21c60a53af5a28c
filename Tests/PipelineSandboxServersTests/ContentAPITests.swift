import PipelineJSONText
import PipelineTestTraits
import PipelineTestSupport
import Testing

@testable import PipelineHTTPServers
@testable import PipelineSandboxServers

@Suite(.ownThreads) struct ContentAPITests {
  @Test(arguments: [0, 1, 199, 200, 201, 1000])
  func aLargeListIsWhole(_ count: Int) throws {
    var ask = Asked()
    let list = try #require(ask("GET", "/large?records=\(count)").parsed)
    #expect(list.elements.compactMap { $0["id"]?.number?.int } == Array(0..<count).map { $0 + 1 })
  }

  @Test func aRecordOfAnyNumberIsJSON() throws {
    var ask = Asked()
    for id in 1...40 {
      let record = try #require(ask("GET", "/large/\(id)").parsed)
      #expect(record["id"]?.number?.int == id)
      #expect(record["tags"]?.count == id % 4)
    }
    #expect(ask("GET", "/large/0").status == 404)
  }

  @Test func streamedBodiesArriveWhole() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let client = try TestClient(server)
    for target in ["/binary/200000", "/binary/200000?chunked=1"] {
      let answer = try client.request("GET", target)
      #expect((answer.header("Content-Length") == nil) == target.hasSuffix("1"))
      #expect(answer.bytes == (0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    }
    #expect(try client.request("HEAD", "/binary/7").header("Content-Length") == "7")
    let deep = try client.request("GET", "/deep?depth=100000").bytes
    #expect(deep.count == 200_000)
    #expect(deep[99_999] == UInt8(ascii: "[") && deep[100_000] == UInt8(ascii: "]"))
    let old = try TestClient(server)
    old.send("GET /large?records=3 HTTP/1.0\r\n\r\n")
    #expect(try JSONDocument.parse(old.answer().bytes).root.count == 3)
  }

  @Test func aSlowReaderHoldsBackTheStream() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let slow = try TestClient(server)
    slow.send("GET /binary/1073741824 HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try server.request("GET", "/status/200").status == 200)
    #expect(try slow.read(100_000).count == 100_000)
  }

  @Test func gzipIsFramedByItsStandard() {
    var ask = Asked()
    let answer = ask("GET", "/gzip")
    #expect(answer.header("Content-Encoding") == "gzip")
    #expect(answer.bytes.starts(with: [0x1F, 0x8B, 8]))
    #expect(answer.bytes.count == 10 + 5 + 16 + 8)
  }

  @Test(arguments: [0, 1, 31, 32, 33, 1000, 65_537])
  func theChecksumOfZerosNeedsNoZeros(_ count: Int) {
    let zeros = [UInt8](repeating: 0, count: count)
    #expect(Checksum.crc32(ofZeros: count) == Checksum.crc32(zeros))
  }

  @Test func aBombIsSmall() {
    let bomb = GzipBomb(size: 1 << 24)
    let source = bomb.pieces
    var packed = 0
    while let piece = source.next() { packed += piece.count }
    #expect(packed < 120_000)
    #expect(bomb.unpackedSize >= 1 << 24)
  }

  @Test func cookiesGoBothWays() {
    var ask = Asked()
    let set = ask("GET", "/cookies/set?a=1&b=2")
    #expect(
      set.fields.filter { $0.name == "Set-Cookie" }.map(\.value) == ["a=1; Path=/", "b=2; Path=/"])
    #expect(ask("GET", "/cookies/set?a=x%3Bb").status == 400)
    let shown = ask("GET", "/cookies", headers: [("Cookie", "a=1; b=x=y"), ("Cookie", "c=3")])
    #expect(shown.text == #"{"cookies":{"a":"1","b":"x=y","c":"3"}}"#)
  }

  @Test func aBucketFillsWithTime() {
    var ask = Asked()
    let target = "/limited/bucket?rate=2&burst=3"
    #expect((0..<4).map { _ in ask("GET", target).status } == [200, 200, 200, 429])
    #expect(ask("GET", target).header("Retry-After") == "1")
    ask.moment.sinceStart += 1_000_000_000
    #expect((0..<3).map { _ in ask("GET", target).status } == [200, 200, 429])
  }
}

@Suite(.ownThreads) struct GraphQLAPITests {
  private func ask(_ query: String, variables: String = "{}", operation: String? = nil) -> String {
    var writer = JSONWriter(style: .compact)
    writer.object { writer in
      writer.member("query", query)
      writer.name("variables")
      writer.raw(Array(variables.utf8))
      if let operation { writer.member("operationName", operation) }
    }
    var ask = Asked()
    return ask("POST", "/graphql", body: String(decoding: writer.bytes, as: UTF8.self)).text
  }

  @Test func fieldsAreSelectedAndRenamed() {
    #expect(
      ask("{ user(id: 1) { name email } }")
        == #"{"data":{"user":{"name":"Ada","email":"ada@graph.example"}}}"#)
    #expect(
      ask("query A { first: user(id: \"2\") { n: name, __typename } } # done")
        == #"{"data":{"first":{"n":"Björn","__typename":"User"}}}"#)
    #expect(
      ask("{ users(first: 2) { id } }") == #"{"data":{"users":[{"id":"1"},{"id":"2"}]}}"#)
    #expect(
      ask("mutation { createUser(name: \"Zoë\") { id name } }")
        == #"{"data":{"createUser":{"id":"101","name":"Zoë"}}}"#)
  }

  @Test func variablesAreFilledIn() {
    let query = "query Q($id: ID! = 3, $list: [Int!]) { user(id: $id) { name } }"
    #expect(ask(query, variables: #"{"id":1}"#) == #"{"data":{"user":{"name":"Ada"}}}"#)
    #expect(ask(query) == #"{"data":{"user":{"name":"Chidi"}}}"#)
    let two = "query A { users(first: 0) { id } } query B { user(id: 2) { id } }"
    #expect(ask(two, operation: "B") == #"{"data":{"user":{"id":"2"}}}"#)
  }

  @Test(arguments: [
    ("{ user(id: 99) { name } }", "user 99 does not exist"),
    ("{ user(id: 1) { age } }", "a User has no field 'age'"),
    ("{ user(id: 1) }", "'user' needs a selection of its fields"),
    ("{ user { name } }", "the argument 'id' of 'user' is needed"),
    ("{ group { name } }", "a query has no field 'group'"),
    ("query Q($id: ID!) { user(id: $id) { name } }", "the variable '$id' has no value"),
    ("{ user(id: $id) { name } }", "the variable '$id' is not declared"),
    ("subscription { user }", "'subscription' is not known here; write query or mutation"),
    ("", "the query is empty"), ("{ user(id: 1) { name }", "a name is expected"),
    ("{ a @skip }", "'@' is not known here"), ("{ user(id: \"1", "a string has no end"),
    (String(repeating: "{a", count: 100), "the query is nested too deep"),
  ])
  func problemsAreListed(_ query: String, _ message: String) throws {
    let answer = try JSONDocument.parse(Array(ask(query).utf8)).root
    #expect(answer["errors"]?[0]?["message"]?.string == message)
  }
}
