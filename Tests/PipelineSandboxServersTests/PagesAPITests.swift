import PipelineJSONText
import PipelineTestTraits
import Testing

@testable import PipelineHTTPServers
@testable import PipelineSandboxServers

@Suite(.ownThreads) struct PagesAPITests {
  private func ids(_ list: JSONNode?) -> [Int] {
    list?.elements.compactMap { $0["id"]?.number?.int } ?? []
  }

  /// Follows `next` from page to page, as a client does.
  private func collect(
    from start: String, list: (JSONNode) -> JSONNode?,
    next: (ServerResponse, JSONNode, String) -> String?
  ) throws -> [Int] {
    var ask = Asked()
    var found: [Int] = []
    var target: String? = start
    for _ in 0..<100 {
      guard let current = target else { return found }
      let response = ask("GET", current)
      let body = try #require(response.parsed)
      found += ids(list(body))
      target = next(response, body, current)
    }
    Issue.record("the pages have no end")
    return found
  }

  @Test(arguments: [(25, 10), (30, 10), (1, 10), (0, 10), (7, 1)])
  func linksLeadThroughAllRecords(_ total: Int, _ size: Int) throws {
    let found = try collect(from: "/pages/link?total=\(total)&per_page=\(size)") {
      $0
    } next: { response, _, _ in
      let links = response.header("Link")?.split(separator: ", ") ?? []
      let next = links.first { $0.hasSuffix("rel=\"next\"") }
      return next.map { String($0.dropFirst().prefix { $0 != ">" }) }
    }
    #expect(found == Array(0..<total).map { $0 + 1 })
  }

  @Test func nextURLsLeadThroughAllRecords() throws {
    let found = try collect(from: "/pages/next?per_page=4") {
      $0["data"]
    } next: { _, body, _ in
      body["next"]?.string
    }
    #expect(found == Array(1...25))
  }

  @Test func linksTakeTheFormAskedFor() {
    var ask = Asked()
    let host = [("Host", "127.0.0.1:80")]
    let next = { (query: String) in
      ask("GET", "/pages/next?\(query)", headers: host).parsed?["next"]?.string
    }
    #expect(next("") == "/pages/next?page=2")
    #expect(next("form=query") == "?form=query&page=2")
    #expect(next("form=absolute") == "http://127.0.0.1:80/pages/next?form=absolute&page=2")
    #expect(
      next("form=absolute&origin=http://other.example")
        == "http://other.example/pages/next?form=absolute&origin=http%3A%2F%2Fother.example&page=2")
  }

  @Test(arguments: ["null", "absent", "empty", "false"])
  func cursorsLeadThroughAllRecords(_ end: String) throws {
    let found = try collect(from: "/pages/cursor?end=\(end)") {
      $0["data"]
    } next: { _, body, _ in
      guard let cursor = body["meta"]?["next"]?.string, !cursor.isEmpty else { return nil }
      return "/pages/cursor?end=\(end)&cursor=\(FormText.encode(cursor))"
    }
    #expect(found == Array(1...25))
    var ask = Asked()
    let last = ask("GET", "/pages/cursor?total=1&end=\(end)").parsed?["meta"]?.text
    let expected = ["null": "null", "empty": "\"\"", "false": "false"][end]
    #expect(last == expected.map { "{\"next\":\($0)}" } ?? "{}")
    #expect(ask("GET", "/pages/cursor?cursor=forged").status == 400)
  }

  @Test func parametersMayStandInTheBody() {
    var ask = Asked()
    let cursor = ask("POST", "/pages/cursor", body: #"{"cursor":"YWZ0ZXI6MjA=","limit":2}"#)
    #expect(ids(cursor.parsed?["data"]) == [21, 22])
    #expect(
      ids(ask("POST", "/pages/cursor", body: #"{"cursor":null}"#).parsed?["data"]).count == 10)
    let page = ask("POST", "/pages/numbered", body: #"{"page":3,"per_page":9}"#)
    #expect(ids(page.parsed?["data"]) == Array(19...25))
    let offset = ask("POST", "/pages/offset", body: #"{"offset":24,"limit":9}"#)
    #expect(ids(offset.parsed?["data"]) == [25])
  }

  @Test func numberedPagesCountFromEitherEnd() {
    var ask = Asked()
    let first = ask("GET", "/pages/numbered").parsed
    #expect(first?["total_pages"]?.number?.int == 3)
    #expect(ids(first?["data"]) == Array(1...10))
    #expect(ids(ask("GET", "/pages/numbered?first=0&page=2").parsed?["data"]) == Array(21...25))
    let past = ask("GET", "/pages/numbered?page=4&totals=no").parsed
    #expect(past?["data"]?.count == 0)
    #expect(past?["total_pages"] == nil)
  }

  @Test func loopsAndEndlessPagesSayWhereTheyLead() {
    var ask = Asked()
    #expect(ask("GET", "/pages/loop").parsed?["next"]?.string == "/pages/loop?page=2")
    #expect(ask("GET", "/pages/loop?page=2").parsed?["next"]?.string == "/pages/loop?page=1")
    #expect(ask("GET", "/pages/endless?page=41").parsed?["cursor"]?.string == "42")
  }
}
