import PipelineKit
import PipelineTesting
import Testing

/// A first page that is the last, because the API has no more or because a query is wrong.
@Suite struct OnlyPageTests {
  private static let api = "https://api.example"

  struct Case: Sendable, CustomTestStringConvertible {
    let paginate: String
    let body: String
    /// What is said; `nil` if nothing is.
    let says: String?

    init(_ paginate: String, _ body: String, _ says: String?) {
      self.paginate = paginate
      self.body = body
      self.says = says
    }

    var testDescription: String { paginate + " of " + body }
  }

  private func run(_ test: Case) async throws -> (failure: String?, notes: [String]) {
    let plan = try plan(
      """
      {"steps": [{"id": "p", "endpoint": "GET \(Self.api)/p", "paginate": {\(test.paginate)},
        "query": {"x": "\(test.paginate.contains("carry") ? "{{go}}" : "")"},
        "extract": {"ids": "$.data[*]"}}], "outputs": {"ids": "{{p.ids}}"}}
      """)
    let transport = ScriptedTransport { _ in
      .response(
        TransportResponse(
          status: 200, headers: [HeaderField("X-Next-Cursor", "")], body: Array(test.body.utf8)))
    }
    let run = Pipeline(plan, transport: transport).run()
    var notes: [String] = []
    for await event in run.events() {
      if case .note(let note) = event.kind { notes.append(note.message) }
    }
    let failures = try await run.result.report.failures
    #expect(transport.requests.count == 1)
    return (failures.first?.failure.message, notes)
  }

  private static let cursor = #""param": "c", "cursor": "#

  /// APIs say in many ways that there is no more.
  @Test(arguments: [
    Case(cursor + #""$.next""#, #"{"data": [1]}"#, nil),
    Case(cursor + #""$.next""#, #"{"data": [1], "next": null}"#, nil),
    Case(cursor + #""$.next""#, #"{"data": [1], "next": ""}"#, nil),
    Case(cursor + #""$.meta.next""#, #"{"data": [1]}"#, nil),
    Case(cursor + #""$.meta.next""#, #"{"data": [1], "meta": {}}"#, nil),
    Case(cursor + #""$.meta.next""#, #"{"data": [1], "meta": null}"#, nil),
    Case(cursor + #""$.meta.next""#, #"{"data": [1], "meta": []}"#, nil),
    Case(cursor + #""$.data[-1].id""#, #"{"data": []}"#, nil),
    Case(cursor + #""$.links[?@.rel == 'next'].href""#, #"{"data": [1], "links": []}"#, nil),
    Case(#""next": "$.next""#, #"{"data": [1], "count": 1}"#, nil),
    Case(#""carry": {"go": "$.continue.go"}"#, #"{"data": [1]}"#, nil),
    Case(#""page": "p", "items": "$.data""#, #"{"data": []}"#, nil),
    Case(#""page": "p", "items": "$.data""#, #"{"data": null}"#, nil),
    Case(#""page": "p", "items": "$.data""#, #"{"data": false}"#, nil),
    Case(#""page": "p", "items": "$.hits.list""#, #"{"hits": null}"#, nil),
    Case(#""page": "p", "items": "$.data", "by": 2"#, #"{"data": [1]}"#, nil),
    Case(#""page": "p", "while": "@.body.more == true""#, #"{"data": [1], "more": false}"#, nil),
    Case(#""page": "p", "while": "@.body.more == true""#, #"{"data": [1]}"#, nil),
    Case(#""cursorHeader": "X-Next-Cursor", "param": "c""#, #"{"data": [1]}"#, nil),
  ])
  func aLastPageIsNoFinding(_ test: Case) async throws {
    let (failure, notes) = try await run(test)
    #expect(failure == nil)
    #expect(notes.allSatisfy { $0.hasPrefix("extractor 'ids' is an empty list") })
  }

  @Test(arguments: [
    Case(
      cursor + #""$.nxet""#, #"{"data": [1], "next": "b"}"#,
      "'cursor' found nothing at '$.nxet'; did you mean 'next'?"),
    Case(
      cursor + #""$.mta.next""#, #"{"data": [1], "meta": {"next": "b"}}"#,
      "'cursor' found nothing at '$.mta.next'; did you mean 'meta'?"),
    Case(
      cursor + #""$.data.next""#, #"{"data": [1], "next": "b"}"#,
      "'cursor' found nothing at '$.data.next': there is a list, which has no members"),
    Case(
      #""next": "$.links.nxt""#, #"{"data": [1], "links": {"next": "/b"}}"#,
      "'next' found nothing at '$.links.nxt'; did you mean 'next'?"),
    Case(
      #""carry": {"go": "$.contnue"}"#, #"{"data": [1], "continue": "b"}"#,
      "'go' found nothing at '$.contnue'; did you mean 'continue'?"),
    Case(
      #""page": "p", "while": "@.body.has_mor == true""#, #"{"data": [1], "has_more": true}"#,
      "'while' found nothing at '@.body.has_mor'; did you mean 'has_more'?"),
    Case(
      #""page": "p", "items": "$.page.itms""#, #"{"page": {"items": [1]}, "data": []}"#,
      "'items' found nothing at '$.page.itms'; did you mean 'items'?"),
    Case(
      #""cursorHeader": "X-Net-Cursor", "param": "c""#, #"{"data": [1]}"#,
      "'cursorHeader' found nothing at 'X-Net-Cursor'; did you mean 'x-next-cursor'?"),
  ])
  func aNameThatIsNearToAnotherIsNoted(_ test: Case) async throws {
    let (failure, notes) = try await run(test)
    #expect(failure == nil)
    #expect(notes == ["the first page is the last, because " + (test.says ?? "")])
  }

  @Test func aNumberThatIsComparedWithATextIsNoted() async throws {
    let test = Case(
      #""page": "p", "while": "@.body.left > '0'""#, #"{"data": [1], "left": 5}"#, nil)
    let (failure, notes) = try await run(test)
    #expect(failure == nil)
    #expect(
      notes == [
        "the condition does not hold, because '0' is a text and '@.body.left' a number; write 0"
          + " without quotes"
      ])
  }

  @Test func aFlagThatIsComparedWithATextIsNoted() async throws {
    let test = Case(
      #""page": "p", "while": "@.body.more == 'true'""#, #"{"data": [1], "more": true}"#, nil)
    #expect(
      try await run(test).notes == [
        "the condition does not hold, because 'true' is a text and '@.body.more' a boolean; write"
          + " true without quotes"
      ])
  }

  /// Records were found on the page, so there is a list that `items` should have found.
  @Test(arguments: [
    Case(
      #""page": "p", "items": "$.records""#, #"{"data": [1]}"#,
      "'items' found nothing at '$.records', but 'ids' has values of the page"),
    Case(
      #""page": "p", "items": "$.dta[*].id""#, #"{"data": [1]}"#,
      "'items' found nothing at '$.dta[*].id', but 'ids' has values of the page;"
        + " did you mean 'data'?"),
    Case(
      cursor + #""$.next", "items": "$.dta""#, #"{"data": [1], "next": "b"}"#,
      "'items' found nothing at '$.dta', but 'ids' has values of the page; did you mean 'data'?"),
    Case(
      #""page": "p", "items": "$.total""#, #"{"data": [1], "total": 7}"#,
      "'items' must find a list, but '$.total' is a number"),
  ])
  func recordsThatItemsDoesNotFindAreAFailure(_ test: Case) async throws {
    let (failure, notes) = try await run(test)
    #expect(failure == test.says)
    #expect(notes == [])
  }
}
