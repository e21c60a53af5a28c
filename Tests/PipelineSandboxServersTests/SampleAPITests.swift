import PipelineByteText
import PipelineJSONText
import PipelineTestTraits
import Testing

@testable import PipelineHTTPServers
@testable import PipelineSandboxServers

@Suite(.ownThreads) struct SampleAPITests {
  @Test func aUserLeadsToAccountAndTransactionsWithEveryDigit() throws {
    var ask = Asked()
    let user = try #require(ask("GET", "/bank/users/1").parsed)
    #expect(user["accountId"]?.text == "9007199254740993")
    let account = try #require(ask("GET", "/bank/accounts/9007199254740993").parsed)
    #expect(account["balance"]?.text == "1042.10")
    let list = ask("GET", "/bank/accounts/9007199254740993/transactions").parsed
    #expect(list?.elements.map { $0["amount"]?.text } == ["1200.00", "-49.95", "-107.95"])
    for path in ["users/0", "users/1000001", "accounts/1", "accounts/-9223372036854775808"] {
      #expect(ask("GET", "/bank/\(path)").status == 404)
    }
  }

  @Test(arguments: [1, 2, 7, 12, 999_999])
  func anAccountHoldsTheSumOfItsTransactions(_ id: Int) throws {
    var ask = Asked()
    let account = try #require(ask("GET", "/bank/users/\(id)").parsed?["accountId"]?.text)
    let cents: (String) -> Int? = { Int($0.filter { $0 != "." }) }
    let list = ask("GET", "/bank/accounts/\(account)/transactions").parsed
    let sum = list?.elements.compactMap { $0["amount"].flatMap { cents($0.text) } }.reduce(0, +)
    #expect(
      sum == ask("GET", "/bank/accounts/\(account)").parsed?["balance"].map { cents($0.text) })
  }

  @Test func theSecureBankAsksForALogin() throws {
    var ask = Asked()
    let refused = ask("GET", "/bank/secure/users/1")
    #expect(refused.status == 401)
    #expect(refused.header("WWW-Authenticate") == "Bearer realm=\"sandbox\"")
    let body = #"{"email":"eve.holt@reqres.in","password":"x"}"#
    let token = try #require(ask("POST", "/reqres/login", body: body).parsed?["token"]?.string)
    let bearer = [("Authorization", "Bearer \(token)")]
    #expect(ask("GET", "/bank/secure/users/1", headers: bearer).status == 200)
    let wrong = ask("GET", "/bank/secure/users/1", headers: [("Authorization", "Bearer x")])
    #expect(wrong.header("WWW-Authenticate")?.contains("invalid_token") == true)
  }

  @Test func imagesGoUpOneByOneAndInBatches() throws {
    var ask = Asked()
    let list = try #require(ask("GET", "/images").parsed?["images"])
    #expect(list.count == 12)
    let sample = ask("GET", "/images/3")
    #expect(sample.header("Content-Type") == "image/png")
    #expect(list[2]?["checksum"]?.string == String(hex: SHA256.hash(sample.bytes)))

    let raw = ask("PUT", "/images/3", body: "abc")
    #expect(raw.status == 201)
    #expect(raw.parsed?["size"]?.number?.int == 3)
    #expect(
      raw.parsed?["checksum"]?.string
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(ask("GET", "/images/3").text == "abc")
    let encoded = ask("PUT", "/images/3", body: #"{"data":"aGVsbG8="}"#)
    #expect(encoded.status == 200)
    #expect(ask("GET", "/images/3").text == "hello")

    let batch = ask("POST", "/images/batch", body: #"[{"id":7,"data":"YQ=="},{"id":"x"},9]"#)
    #expect(batch.parsed?["received"]?.number?.int == 3)
    #expect(batch.parsed?["images"]?.elements.map { $0["id"]?.string } == ["7", "x", "9"])
    #expect(ask("GET", "/images/7").text == "a")
    #expect(ask("POST", "/images/batch", body: "{}").status == 400)
    #expect(ask("DELETE", "/images/x").status == 204)
    #expect(ask("DELETE", "/images/x").status == 404)
  }

  @Test func anImageThatIsKnownIsNotSentAgain() throws {
    var ask = Asked()
    let tag = try #require(ask("GET", "/images/3").header("ETag"))
    let known = [("If-None-Match", "\"x\", W/" + tag)]
    let unchanged = ask("GET", "/images/3", headers: known)
    #expect(unchanged.status == 304)
    #expect(unchanged.header("ETag") == tag)
    #expect(unchanged.text == "")
    _ = ask("PUT", "/images/3", body: "abc")
    #expect(ask("GET", "/images/3", headers: known).status == 200)
    #expect(ask("GET", "/images/3").header("ETag") != tag)
  }

  @Test func imagesGoUpAsAForm() {
    var ask = Asked()
    let form =
      "--B\r\nContent-Disposition: form-data; name=\"a\"; filename=\"a.png\"\r\n"
      + "Content-Type: image/png\r\n\r\none\r\n--B\r\n"
      + "Content-Disposition: form-data; name=\"b\"\r\n\r\ntwo\r\n--B--\r\n"
    let type = [("Content-Type", "multipart/form-data; boundary=B")]
    let batch = ask("POST", "/images/batch", headers: type, body: form)
    #expect(batch.parsed?["images"]?.elements.map { $0["id"]?.string } == ["a.png", "b"])
    #expect(ask("GET", "/images/a.png").text == "one")
    #expect(ask("PUT", "/images/1", headers: type, body: "--B\r\ncut").status == 400)
  }

  @Test(arguments: [
    ("", ["queued", "running", "done", "done"]), ("?polls=1", ["done"]),
    ("?polls=4&outcome=failed", ["queued", "running", "running", "failed"]),
  ])
  func aJobEndsAfterItsPolls(_ query: String, _ expected: [String]) throws {
    var ask = Asked()
    let started = ask("POST", "/jobs\(query)")
    #expect(started.status == 202)
    let location = try #require(started.header("Location"))
    let seen = expected.map { _ in ask("GET", location).parsed?["status"]?.string }
    #expect(seen == expected)
    #expect(ask("GET", location + "/result").status == (expected.last == "done" ? 200 : 409))
    #expect(ask("DELETE", location).status == 204)
    #expect(ask("GET", location).status == 404)
  }

  @Test func aFlakyKeySucceedsAfterItsFailures() {
    var ask = Asked()
    let target = "/flaky/a?fail=2&status=502&retryAfter=0.05"
    #expect((0..<4).map { _ in ask("GET", target).status } == [502, 502, 200, 200])
    #expect(ask("GET", "/flaky/b?fail=1&retryAfter=0.05").header("Retry-After") == "0.05")
    #expect(
      ask("GET", "/flaky/c?retryDate=2").header("Retry-After") == "Thu, 01 Jan 2026 00:00:02 GMT")
  }

  @Test func everyThirdRequestIsLimited() {
    var ask = Asked()
    #expect((0..<6).map { _ in ask("GET", "/limited").status } == [200, 200, 429, 200, 200, 429])
    #expect(ask("GET", "/limited?every=1").header("Retry-After") == "1")
  }

  @Test func anOrderIsMadeOncePerKey() {
    var ask = Asked()
    let key = [("Idempotency-Key", "k1")]
    #expect(ask("POST", "/idempotent").status == 400)
    #expect(ask("POST", "/idempotent?fail=1", headers: key).status == 503)
    let second = ask("POST", "/idempotent?fail=1", headers: key)
    #expect(second.status == 200)
    #expect(second.text == #"{"id":1,"key":"k1","duplicates":1}"#)
    #expect(ask("POST", "/idempotent", headers: [("Idempotency-Key", "k2")]).status == 201)
    #expect(ask("GET", "/idempotent").parsed?["total"]?.number?.int == 2)
  }

  @Test func aRetriedDeleteFindsNothing() {
    var ask = Asked()
    #expect((0..<3).map { _ in ask("DELETE", "/delete/7").status } == [503, 404, 404])
  }

  @Test func redirectsLeadOn() {
    var ask = Asked()
    let chain = ask("GET", "/redirect/2?status=307")
    #expect(chain.status == 307)
    #expect(chain.header("Location") == "/redirect/1?status=307")
    #expect(ask("GET", "/redirect/0").status == 200)
    let absolute = ask("GET", "/redirect/1?absolute=1", headers: [("Host", "h:1")])
    #expect(absolute.header("Location") == "http://h:1/redirect/0?absolute=1")
    let to = ask("GET", "/redirect/to?url=http%3A%2F%2Fa.example%2Fb%3Fc&status=301")
    #expect(to.header("Location") == "http://a.example/b?c")
    #expect(ask("GET", "/redirect/to?url=a%0Ab").status == 400)
    #expect(ask("GET", "/redirect/loop").header("Location") == "/redirect/loop")
  }

  @Test func theEchoShowsWhatWasSent() throws {
    var ask = Asked()
    let answer = ask(
      "POST", "/echo?a=1&a=2&b=x%20y",
      headers: [("X-One", "1"), ("x-one", "2"), ("Content-Type", "application/json")],
      body: #"{"n":1.50}"#)
    #expect(
      answer.text
        == #"{"method":"POST","path":"/echo","target":"/echo?a=1&a=2&b=x%20y","#
        + #""query":{"a":["1","2"],"b":"x y"},"#
        + #""headers":{"x-one":["1","2"],"content-type":"application/json"},"#
        + #""size":10,"body":"{\"n\":1.50}","json":{"n":1.50}}"#)
    let form = ask(
      "POST", "/echo", headers: [("Content-Type", "application/x-www-form-urlencoded")],
      body: "a=1+2&b=%26")
    #expect(form.text.contains(#""form":{"a":"1 2","b":"&"}"#))
  }

  @Test func headersCannotBeSmuggledIn() {
    var ask = Asked()
    #expect(ask("GET", "/headers?X-A=b").header("X-A") == "b")
    for query in ["X-A=b%0D%0AX-B:c", "X%20A=b", "=b", "Content-Length=3"] {
      #expect(ask("GET", "/headers?\(query)").status == 400)
    }
  }

  @Test func theIndexListsEveryRoute() {
    var ask = Asked()
    #expect(ask("GET", "/").parsed?["apis"]?.count == Router.all.count)
  }
}
