import PipelineJSONText
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Recordings of browsers and other clients as workflows.
struct ImportRecordingTests {
  private let folder = TemporaryFolder()

  /// An entry of a HAR file.
  private struct Entry {
    var method = "GET"
    var url: String
    var headers: [(String, String)] = []
    var body: String?
    var bodyType = "application/json"
    var status = 200
    var answer = ""
    var answerType = "application/json"
    var answerHeaders: [(String, String)] = []
    var resourceType: String?

    var json: JSONValue {
      func fields(_ list: [(String, String)]) -> JSONValue {
        .array(list.map { ["name": .string($0.0), "value": .string($0.1)] })
      }
      var request: [JSONValue.Member] = [
        .init("method", .string(method)), .init("url", .string(url)),
        .init("headers", fields(headers)),
      ]
      if let body {
        request.append(
          .init("postData", ["mimeType": .string(bodyType), "text": .string(body)]))
      }
      var entry: [JSONValue.Member] = [
        .init("time", 100), .init("request", .object(request)),
        .init(
          "response",
          [
            "status": JSONValue(status), "headers": fields(answerHeaders),
            "content": ["mimeType": .string(answerType), "text": .string(answer)],
          ]),
      ]
      if let resourceType { entry.append(.init("_resourceType", .string(resourceType))) }
      return .object(entry)
    }
  }

  private func write(_ entries: [Entry], to name: String = "a.har") -> String {
    let log: JSONValue = ["log": ["version": "1.2", "entries": .array(entries.map(\.json))]]
    return folder.write(log.node.text, to: name)
  }

  /// The workflow, which must be clean, and the report.
  private func imported(
    _ paths: [String], _ options: [String] = []
  ) async throws -> (workflow: JSONNode, report: JSONNode, text: String) {
    let result = await pipeline(["import", "--format", "json"] + options + paths)
    #expect(result.status == .success, "\(result.error)")
    let report = try JSONDocument.parse(Array(result.output.utf8)).root
    let workflow = try #require(report["workflow"])
    let plain = await pipeline(["import"] + options + paths)
    let target = folder.write(plain.output, to: "w.json")
    let lint = await pipeline(["lint", target])
    #expect(lint.status == .success, "\(lint.output)")
    #expect(await pipeline(["format", "--check", target]).status == .success)
    return (workflow, report, plain.output)
  }

  private func expectProved(_ report: JSONNode, _ requests: Int) {
    #expect(report["proof"]?["requests"]?.text == "\(requests)")
    #expect(report["proof"]?["asRecorded"]?.text == "\(requests)", "\(report.text)")
    #expect(report["proof"]?["withFreshValues"]?.text == "\(requests)", "\(report.text)")
  }

  private static let shop = "https://shop.example"

  private static let login = [
    Entry(
      method: "OPTIONS", url: shop + "/login",
      headers: [("Access-Control-Request-Method", "POST")], status: 204),
    Entry(url: shop + "/app.js", answerType: "text/javascript", resourceType: "script"),
    Entry(
      method: "POST", url: "https://www.google-analytics.com/collect", resourceType: "xhr"),
    Entry(
      method: "POST", url: shop + "/login",
      headers: [("User-Agent", "Mozilla/5.0"), ("X-Api-Key", "k3y-of-the-shop")],
      body: #"{"user": "ann", "password": "p4ssw0rd!"}"#,
      answer: #"{"access_token": "tok-8f3a92bc71", "account": {"id": 4711}}"#,
      answerHeaders: [("Set-Cookie", "sid=c00kie-55aa; Path=/")], resourceType: "xhr"),
    Entry(
      url: shop + "/accounts/4711",
      headers: [
        ("Authorization", "Bearer tok-8f3a92bc71"), ("Cookie", "sid=c00kie-55aa; lang=x1y2z3"),
        ("X-Api-Key", "k3y-of-the-shop"),
      ], answer: #"{"id": 4711, "orders": [{"number": 1}, {"number": 2}]}"#, resourceType: "xhr"),
  ]

  @Test func aLoginIsSecretInputsAndReferences() async throws {
    let (root, report, text) = try await imported([write(Self.login)])
    expectProved(report, 2)
    let steps = try #require(root["steps"])
    #expect(
      steps.elements.map { $0["endpoint"]?.string } == [
        "POST /login", "GET /accounts/{{login.id}}",
      ])
    #expect(steps[0]?["extract"]?["accessToken"] == nil)
    #expect(steps[0]?["extract"]?["access_token"]?["secret"]?.boolean == true)
    #expect(steps[1]?["auth"]?["bearer"]?.string == "{{login.access_token}}")
    #expect(steps[1]?["cookies"]?["sid"]?.string == "{{login.sid}}")
    for secret in ["p4ssw0rd", "k3y-of", "tok-8f3a", "c00kie", "x1y2z3"] {
      #expect(!text.contains(secret), "\(secret)")
      #expect(!report.text.contains(secret), "\(secret)")
    }
    #expect(!text.contains("Mozilla"))
    #expect(report["leftOut"]?["preflight requests"]?.text == "1")
    #expect(report["leftOut"]?["static files"]?.text == "1")
    #expect(report["leftOut"]?["analytics"]?.text == "1")
  }

  @Test func whatARecordingLeavesOutIsNoticed() async throws {
    let path = write([Entry(url: Self.shop + "/me", answer: "{}", resourceType: "xhr")])
    let (_, report, _) = try await imported([path])
    #expect(report["approximated"]?.text.contains("export with sensitive data") == true)
  }

  @Test func equalRequestsOfAListAreOneStep() async throws {
    var entries = [
      Entry(
        url: Self.shop + "/orders", answer: #"{"orders": [{"id": 71}, {"id": 72}, {"id": 73}]}"#)
    ]
    for id in 71...73 {
      entries.append(
        Entry(
          url: Self.shop + "/orders/\(id)", answer: #"{"id": \#(id), "invoice": "inv-\#(id)88219"}"#
        ))
    }
    for id in 71...73 {
      entries.append(Entry(url: Self.shop + "/invoices/inv-\(id)88219", answer: "{}"))
    }
    let (root, report, _) = try await imported([write(entries)])
    expectProved(report, 7)
    let steps = try #require(root["steps"])
    #expect(steps.count == 3)
    #expect(steps[1]?["forEach"]?.string == "$.orders.ids")
    #expect(steps[2]?["forEach"]?.string == "$.order[*].invoice")
    #expect((report["seconds"]?["recorded"]?.number?.double ?? 0) > 0.29)
  }

  @Test func cursorsArePagesAndRepeatedRequestsArePolling() async throws {
    let entries = [
      Entry(
        method: "POST", url: Self.shop + "/exports", status: 202, answer: #"{"id": "e-99817a6c"}"#),
      Entry(url: Self.shop + "/exports/e-99817a6c", answer: #"{"status": "running"}"#),
      Entry(url: Self.shop + "/exports/e-99817a6c", answer: #"{"status": "running", "n": 2}"#),
      Entry(url: Self.shop + "/exports/e-99817a6c", answer: #"{"status": "done"}"#),
      Entry(url: Self.shop + "/rows", answer: #"{"next": "r41"}"#),
      Entry(url: Self.shop + "/rows?cursor=r41", answer: #"{"next": "r42"}"#),
      Entry(url: Self.shop + "/rows?cursor=r42", answer: #"{"next": null}"#),
    ]
    let (root, report, _) = try await imported([write(entries)])
    expectProved(report, 7)
    let steps = try #require(root["steps"])
    #expect(steps.count == 3)
    #expect(steps[1]?["poll"]?["until"]?.string == "@.body.status == 'done'")
    #expect(steps[2]?["paginate"]?["cursor"]?.string == "$.next")
    #expect(steps[2]?["dependsOn"]?[0]?.string == "exports")
  }

  private static func rows(_ count: Int) -> String {
    "[" + (0..<count).map { "{\"n\": \($0)}" }.joined(separator: ", ") + "]"
  }

  @Test(arguments: [
    // A short page, an empty page, a number of pages in the body and in a header.
    (
      ["/a?page=1&size=2", "/a?page=2&size=2", "/a?page=3&size=2"],
      [rows(2), rows(2), rows(1)], "", #"{"page": "page", "items": "$", "by": 2}"#
    ),
    (
      ["/a?p=0", "/a?p=1"], [#"{"data": \#(rows(2))}"#, #"{"data": []}"#], "",
      #"{"page": "p", "from": 0, "items": "$.data"}"#
    ),
    (
      ["/a?page=1", "/a?page=2"],
      [#"{"rows": \#(rows(2)), "total_pages": 2}"#, #"{"rows": \#(rows(2)), "total_pages": 2}"#],
      "", #"{"page": "page", "pages": "$.total_pages"}"#
    ),
    (
      ["/a?page=1", "/a?page=2"], [rows(2), rows(2)], "X-WP-TotalPages: 2",
      #"{"page": "page", "pages": {"header": "X-WP-TotalPages"}}"#
    ),
    // Records to skip.
    (
      ["/a?offset=0&limit=2", "/a?offset=2&limit=2", "/a?offset=4&limit=2"],
      [2, 2, 1].map { #"{"items": \#(rows($0)), "total": 5}"# }, "",
      #"{"offset": "offset", "by": 2, "total": "$.total"}"#
    ),
    // The URL of the next page.
    (
      ["/a", "/a?after=x", "/a?after=y"], [rows(1), rows(1), rows(1)],
      "Link: <https://shop.example/a?after=x>; rel=\"next\"|Link: </a?after=y>; rel=next|",
      #"{"link": "next"}"#
    ),
    (
      ["/a", "/b/2"], [#"{"links": {"next": "https://shop.example/b/2"}}"#, #"{"links": {}}"#], "",
      #"{"next": "$.links.next"}"#
    ),
    // The end is not recorded, or a page is missing.
    (["/a?page=1", "/a?page=2"], [rows(2), rows(2)], "", ""),
    (["/a?page=1", "/a?page=3"], [rows(2), rows(1)], "", ""),
    (["/a?offset=0", "/a?offset=2"], [rows(3), rows(1)], "", ""),
  ]) func pagesAreFound(
    _ urls: [String], _ answers: [String], _ header: String, _ expected: String
  ) async throws {
    let headers = header.split(separator: "|", omittingEmptySubsequences: false).map {
      $0.split(separator: ": ", maxSplits: 1).map(String.init)
    }
    let entries = zip(urls, answers).enumerated().map { number, pair in
      let own = headers.count == 1 ? headers[0] : headers[number]
      return Entry(
        url: Self.shop + pair.0, answer: pair.1,
        answerHeaders: own.count == 2 ? [(own[0], own[1])] : [])
    }
    let (root, report, _) = try await imported([write(entries)])
    #expect(report["proof"]?["asRecorded"]?.text == "\(urls.count)", "\(report.text)")
    let steps = try #require(root["steps"])
    if expected.isEmpty {
      #expect(steps.count == urls.count)
    } else {
      let wanted = try JSONDocument.parse(Array(expected.utf8)).root
      #expect(steps.count == 1)
      #expect(steps[0]?["paginate"]?.isEqual(to: wanted) == true, "\(steps.text)")
    }
  }

  @Test func aRedirectIsFollowedUnlessItGivesAValue() async throws {
    let code = "9f8e7d6c5b4a"
    let entries = [
      Entry(
        url: Self.shop + "/old", status: 302, answerHeaders: [("Location", "/new")]),
      Entry(url: Self.shop + "/new", answer: "{}"),
      Entry(
        url: Self.shop + "/authorize", status: 302,
        answerHeaders: [("Location", "https://app.example/callback?code=\(code)")]),
      Entry(
        url: "https://app.example/callback?code=\(code)", answer: "<html></html>",
        answerType: "text/html"),
      Entry(
        method: "POST", url: Self.shop + "/token",
        body: "grant_type=authorization_code&code=\(code)",
        bodyType: "application/x-www-form-urlencoded", answer: "{}"),
    ]
    let (root, report, _) = try await imported([write(entries)])
    expectProved(report, 4)
    let steps = try #require(root["steps"])
    #expect(
      steps.elements.map { $0["endpoint"]?.string } == [
        "GET /old", "GET /authorize", "POST /token",
      ])
    #expect(steps[1]?["redirects"]?.text == "0")
    #expect(steps[1]?["extract"]?["code"]?["param"]?.string == "code")
    #expect(steps[2]?["body"]?["form"]?["code"]?.string == "{{authorize.code}}")
  }

  @Test func aHiddenFieldOfAPageIsExtracted() async throws {
    let token = "csrf-5d41402abc4b2a76"
    let page = "<form><input type=\"hidden\" name=\"_csrf\" value=\"\(token)\"></form>"
    let entries = [
      Entry(url: Self.shop + "/form", answer: page, answerType: "text/html; charset=utf-8"),
      Entry(
        method: "POST", url: Self.shop + "/form", body: "_csrf=\(token)&x=1",
        bodyType: "application/x-www-form-urlencoded", answer: "{}"),
    ]
    let (root, report, text) = try await imported([write(entries)])
    expectProved(report, 2)
    #expect(!text.contains(token))
    #expect(root["steps"]?.count == 2)
  }

  /// What differs between two recordings and no response gave is an input. An equal value that the
  /// second recording denies is no reference.
  @Test func twoRecordingsTellInputsFromConstants() async throws {
    func flow(_ word: String, _ id: String, _ build: String) -> [Entry] {
      [
        Entry(
          url: Self.shop + "/search?q=\(word)&build=2026110",
          answer: #"{"hits": [{"id": "\#(id)"}], "build": \#(build)}"#),
        Entry(url: Self.shop + "/items/\(id)?build=20261101", answer: "{}"),
      ]
    }
    let first = write(flow("shoes", "it-77120934", "20261101"))
    let second = write(flow("hats", "it-88231045", "20261205"), to: "b.har")
    let (root, report, _) = try await imported([first, second])
    #expect(root["inputs"]?["q"]?["default"]?.string == "shoes")
    #expect(root["steps"]?[0]?["query"]?["q"]?.string == "{{inputs.q}}")
    #expect(root["steps"]?[1]?["endpoint"]?.string == "GET /items/{{search.id}}")
    #expect(root["steps"]?[1]?["query"]?["build"]?.string == "20261101")
    #expect(report["edges"]?.text.contains("it does not hold in the second recording") == true)
  }

  @Test func aMethodThatNoEndpointHasIsRefused() async throws {
    let path = write([
      Entry(method: "FROBNICATE", url: Self.shop + "/a"), Entry(url: Self.shop + "/b"),
    ])
    let result = await pipeline(["import", path])
    #expect(result.status == .failure)
    #expect(result.error.contains(":1: refused: 'FROBNICATE' is not a method that a step has\n"))
    #expect(await pipeline(["import", "--partial", path]).output.contains("GET https://shop"))
    let other = write([Entry(method: "FROBNICATE", url: Self.shop + "/a")], to: "b.har")
    #expect(await pipeline(["import", other]).error.contains("no request in it can be translated"))
  }

  @Test func theEvidenceIsShown() async throws {
    let result = await pipeline(["import", "--explain", write(Self.login)])
    #expect(
      result.error.contains(
        "account: path '/accounts/…' = '4711' from login: $.account.id (13 bits, the names agree, 1 place)"
      ), "\(result.error)")
    #expect(result.error.contains("header 'Authorization' = ••• from login: $.access_token"))
    #expect(result.error.contains("left out: preflight requests (1)\n"))
    #expect(result.error.contains("replay: 2 of 2 requests are as recorded\n"))
    #expect(result.error.contains("with fresh values: 2 of 2 requests follow, by 3 values"))
  }

  @Test(arguments: [
    ("{\"log\": {\"entries\": [", "it is cut off; record it again"),
    ("{\"log\": {\"entries\": []}}", "there are no requests in it"),
    ("{\"log\": {\"entries\": [{\"request\": {}}]}}", "there are no requests in it"),
    ("{\"log\": {\"entries\": [{\"request\": x}]}}", "it is not JSON: line 1: "),
  ]) func aBrokenRecordingIsRefused(_ text: String, _ reason: String) async {
    let path = folder.write(text, to: "x.har")
    let result = await pipeline(["import", path])
    #expect(result.status == .usage)
    #expect(result.error.contains("cannot import '\(path)': \(reason)"), "\(result.error)")
  }

  /// Nesting, and names of files that lead elsewhere, are refused or made harmless.
  @Test func hostileRecordingsEnd() async throws {
    let deep = String(repeating: "[", count: 100_000)
    let entries = [
      Entry(url: Self.shop + "/a", answer: deep),
      Entry(
        method: "POST", url: Self.shop + "/b",
        body:
          "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"../../etc/passwd\"\r\n\r\nabc\r\n--x--\r\n",
        bodyType: "multipart/form-data; boundary=x", answer: "{}"),
    ]
    let (root, _, _) = try await imported([write(entries)])
    #expect(root["steps"]?[1]?["body"]?["multipart"]?[0]?["file"]?.string == "./passwd")
  }

  @Test func idsThatAreNamesOfMembersAreFound() async throws {
    let path = write([
      Entry(
        url: Self.shop + "/users",
        answer: #"{"users": {"u-7781": {"name": "Ann"}, "u-9932": {"name": "Bob"}}}"#),
      Entry(url: Self.shop + "/users/u-7781", answer: "{}"),
      Entry(url: Self.shop + "/users/u-9932", answer: "{}"),
    ])
    let (workflow, report, _) = try await imported([path])
    #expect(workflow["steps"]?.count == 2)
    #expect(
      workflow["steps"]?[1]?["forEach"]?.text == #"{"$entries":"{{users.users}}"}"#,
      "\(workflow.text)")
    #expect(workflow["steps"]?[1]?["endpoint"]?.string == "GET /users/{{item.key}}")
    expectProved(report, 3)
  }

  @Test func aSingleMemberIsTakenByItsPosition() async throws {
    let path = write([
      Entry(
        url: Self.shop + "/objects", answer: #"{"objects": {"4711-ab-9": {}, "4712-cd-3": {}}}"#),
      Entry(url: Self.shop + "/details/4712-cd-3", answer: "{}"),
    ])
    let (workflow, report, _) = try await imported([path])
    #expect(
      workflow["steps"]?[2]?["endpoint"]?.string
        == "GET /details/{{objectsMembers.members[1].key}}",
      "\(workflow.text)")
    expectProved(report, 2)
  }

  @Test func listsInTheRowsOfAListAreOneStep() async throws {
    var entries = [
      Entry(url: Self.shop + "/users", answer: #"[{"id": 7001}, {"id": 7002}]"#)
    ]
    for (user, orders) in [(7001, [88101, 88102]), (7002, [88201])] {
      let list = orders.map { #"{"orderId": \#($0)}"# }.joined(separator: ", ")
      entries.append(
        Entry(url: Self.shop + "/users/\(user)/orders", answer: #"{"data": [\#(list)]}"#))
      for order in orders {
        entries.append(Entry(url: Self.shop + "/orders/\(order)", answer: "{}"))
      }
    }
    let (workflow, report, _) = try await imported([write(entries)])
    #expect(workflow["steps"]?.count == 3, "\(workflow.text)")
    #expect(workflow["steps"]?[1]?["forEach"]?.string == "$.users.ids")
    #expect(workflow["steps"]?[2]?["forEach"]?.string == "$.orders[*].orderIds[*]")
    expectProved(report, 6)
  }
}
