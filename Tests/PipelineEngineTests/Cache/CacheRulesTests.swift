import PipelineKit
import Testing

@testable import PipelineEngine
import PipelineLanguage

/// The rules of RFC 9111, one row each.
@Suite struct CacheRulesTests {
  /// 2026-01-01T00:00:00Z
  static let now = 1_767_225_600.0
  static let date = "Date: Thu, 01 Jan 2026 00:00:00 GMT"

  static func fields(_ lines: [String]) -> [HeaderField] {
    lines.map { line in
      let parts = line.split(separator: ": ", maxSplits: 1)
      return HeaderField(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
  }

  struct Storing: Sendable, CustomTestStringConvertible {
    let isStorable: Bool
    var status = 200
    let response: [String]
    var request: [String] = []
    var caching = Caching.asAnswered

    var testDescription: String { "\(status) \(response) to \(request), \(caching)" }
  }

  @Test(arguments: [
    Storing(isStorable: true, response: ["Cache-Control: max-age=60"]),
    Storing(isStorable: true, response: ["Cache-Control: private, max-age=60"]),
    Storing(isStorable: true, response: ["ETag: \"a\""]),
    Storing(isStorable: true, response: ["Last-Modified: Wed, 31 Dec 2025 00:00:00 GMT"]),
    Storing(isStorable: true, response: ["Expires: Thu, 01 Jan 2026 00:01:00 GMT", date]),
    Storing(isStorable: true, response: ["Cache-Control: no-cache", "ETag: \"a\""]),
    Storing(
      isStorable: true, response: ["Cache-Control: max-age=60"],
      request: ["Authorization: Bearer x"]),
    Storing(isStorable: true, status: 404, response: ["Cache-Control: max-age=60"]),
    Storing(isStorable: true, status: 302, response: ["Cache-Control: max-age=60"]),
    Storing(isStorable: true, status: 301, response: ["ETag: \"a\""]),
    // Nothing says how long, and nothing could be asked.
    Storing(isStorable: false, response: []),
    Storing(isStorable: false, response: ["Cache-Control: max-age=0"]),
    Storing(isStorable: false, response: ["Cache-Control: s-maxage=60"]),
    Storing(isStorable: false, response: ["Cache-Control: NO-STORE, max-age=60"]),
    Storing(isStorable: false, response: ["Cache-Control: max-age=60", "Cache-Control: no-store"]),
    Storing(
      isStorable: true, response: ["Cache-Control: x=\"a, no-store\", max-age=60"]),
    Storing(
      isStorable: false, response: ["Cache-Control: max-age=60"],
      request: ["Cache-Control: no-store"]),
    Storing(isStorable: false, response: ["Cache-Control: max-age=60", "Vary: Accept, *"]),
    Storing(isStorable: true, response: ["Cache-Control: max-age=60", "Vary: Accept"]),
    Storing(isStorable: false, status: 206, response: ["Cache-Control: max-age=60"]),
    Storing(isStorable: false, status: 302, response: ["ETag: \"a\""]),
    Storing(isStorable: false, status: 500, response: ["ETag: \"a\""]),
    // A duration of the author's own.
    Storing(isStorable: true, response: [], caching: .fresh(for: .seconds(9))),
    Storing(
      isStorable: false, response: ["Cache-Control: no-store"], caching: .fresh(for: .seconds(9))),
    Storing(isStorable: false, response: ["Vary: *"], caching: .fresh(for: .seconds(9))),
    Storing(isStorable: false, status: 404, response: [], caching: .fresh(for: .seconds(9))),
    Storing(isStorable: false, status: 503, response: [], caching: .fresh(for: .seconds(9))),
  ]) func whatMayBeKept(_ row: Storing) {
    let isStorable = CacheRules.isStorable(
      status: row.status, Self.fields(row.response), to: Self.fields(row.request), row.caching,
      at: Self.now)
    #expect(isStorable == row.isStorable)
  }

  struct Lifetime: Sendable {
    let seconds: Double
    let response: [String]
  }

  @Test(arguments: [
    Lifetime(seconds: 60, response: ["Cache-Control: max-age=60"]),
    Lifetime(seconds: 60, response: ["Cache-Control: max-age=\"60\""]),
    Lifetime(
      seconds: 60,
      response: ["Cache-Control: max-age=60", "Expires: Thu, 01 Jan 1970 00:00:00 GMT"]),
    Lifetime(seconds: 0, response: ["Cache-Control: max-age=soon"]),
    Lifetime(seconds: 0, response: ["Cache-Control: max-age=-1"]),
    Lifetime(seconds: 60, response: ["Cache-Control: max-age=60, max-age=90"]),
    Lifetime(seconds: 30, response: ["Expires: Thu, 01 Jan 2026 00:00:30 GMT", date]),
    Lifetime(seconds: 0, response: ["Expires: 0", date]),
    Lifetime(seconds: 0, response: ["Expires: Wed, 31 Dec 2025 00:00:00 GMT", date]),
    Lifetime(seconds: 8_640, response: ["Last-Modified: Wed, 31 Dec 2025 00:00:00 GMT", date]),
    Lifetime(seconds: 86_400, response: ["Last-Modified: Wed, 01 Jan 2020 00:00:00 GMT", date]),
    Lifetime(seconds: 0, response: ["Last-Modified: Fri, 02 Jan 2026 00:00:00 GMT", date]),
    Lifetime(seconds: 0, response: ["ETag: \"a\""]),
  ]) func howLongAResponseIsFresh(_ row: Lifetime) {
    let lifetime = CacheRules.lifetime(status: 200, Self.fields(row.response), at: Self.now)
    #expect(lifetime == row.seconds, "\(row.response)")
  }

  private static func kept(
    _ lines: [String], status: Int = 200, requested: Double = now, received: Double = now
  ) -> CachedResponse {
    CachedResponse(
      status: status, headers: fields(lines), body: [], requestTime: requested,
      responseTime: received, varyingFields: [], variant: [])
  }

  @Test func anAgeIsTheLargestThatAnythingSuggests() {
    let now = Self.now
    #expect(CacheRules.age(of: Self.kept([]), at: now + 5) == 5)
    #expect(CacheRules.age(of: Self.kept(["Age: 20"]), at: now + 5) == 25)
    #expect(
      CacheRules.age(of: Self.kept(["Date: Wed, 31 Dec 2025 23:59:00 GMT"]), at: now + 5) == 65)
    // The time on the way counts.
    #expect(CacheRules.age(of: Self.kept(["Age: 20"], requested: now - 3), at: now) == 23)
  }

  @Test(
    arguments: [
      ("7200, 0", 7_200), ("0, 7200", 0), ("7200.0", 0), ("-7200", 0), ("\"7200\"", 0), ("7e3", 0),
      ("nan", 0), ("inf", 0), ("1e300", 0), ("", 0), (" 20 ", 20), ("20;x=1", 0),
      ("99999999999999999999999", 2_147_483_648),
    ] as [(String, Double)])
  func anAgeIsAWholeNumberOfSeconds(_ text: String, _ seconds: Double) {
    let kept = Self.kept(["Age: " + text])
    #expect(CacheRules.age(of: kept, at: Self.now) == seconds, "\(text)")
  }

  @Test(
    arguments: [
      ("max-age=0", 0, false), ("max-age=9", 9, true), ("max-age=9", 10, false),
      ("max-age=100", 50, true), ("min-fresh=10", 50, false), ("min-fresh=10", 49, true),
      ("min-fresh=x", 59, true), ("max-stale=5", 59, true), ("max-age=x", 1, false),
      ("min-fresh=99999999999999999999", 0, false), ("", 59, true),
    ] as [(String, Double, Bool)])
  func aRequestDemandsFreshness(_ directives: String, _ age: Double, _ isEnough: Bool) {
    let kept = Self.kept(["Cache-Control: max-age=60"])
    let control = CacheControl(ofRequest: Self.fields(["Cache-Control: " + directives]))
    let isFreshEnough = CacheRules.isFreshEnough(
      kept, .asAnswered, for: control, at: Self.now + age)
    #expect(isFreshEnough == isEnough, "\(directives) after \(age) s")
  }

  @Test func pragmaCountsWithoutCacheControl() {
    #expect(CacheControl(ofRequest: Self.fields(["Pragma: x, No-Cache"])).hasNoCache)
    #expect(
      !CacheControl(ofRequest: Self.fields(["Pragma: no-cache", "Cache-Control: max-age=9"]))
        .hasNoCache)
    #expect(!CacheControl(of: Self.fields(["Pragma: no-cache"])).hasNoCache)
  }

  @Test func whatIsFreshNeedsNoRequest() {
    let now = Self.now
    let minute = Self.kept(["Cache-Control: max-age=60"])
    #expect(CacheRules.isFresh(minute, .asAnswered, at: now + 59))
    #expect(!CacheRules.isFresh(minute, .asAnswered, at: now + 60))
    // A clock that was set back says nothing.
    #expect(!CacheRules.isFresh(minute, .asAnswered, at: now - 1))
    let aged = Self.kept(["Cache-Control: max-age=60", "Age: 50"])
    #expect(!CacheRules.isFresh(aged, .asAnswered, at: now + 10))
    let asking = Self.kept(["Cache-Control: no-cache, max-age=60"])
    #expect(!CacheRules.isFresh(asking, .asAnswered, at: now))
    #expect(CacheRules.isFresh(asking, .fresh(for: .seconds(10)), at: now + 9))
    #expect(!CacheRules.isFresh(minute, .fresh(for: .seconds(10)), at: now + 10))
    // An error lasts as long as it says itself.
    let missing = Self.kept(["Cache-Control: max-age=5"], status: 404)
    #expect(!CacheRules.isFresh(missing, .fresh(for: .seconds(10)), at: now + 6))
  }

  @Test func a304ReplacesTheFieldsThatItHas() {
    let stored = Self.kept([
      "ETag: \"a\"", "Cache-Control: max-age=1", "Age: 7", "Content-Length: 3", "X-Old: 1",
    ])
    let news = Self.fields([
      "etag: \"a\"", "cache-control: max-age=9", "Content-Length: 0", "Connection: X-Hop",
      "X-Hop: 1",
    ])
    let updated = CacheRules.updated(
      stored, by: news, requestTime: Self.now + 10, responseTime: Self.now + 11)
    #expect(updated.headers.map(\.name) == ["Content-Length", "X-Old", "etag", "cache-control"])
    #expect(updated.headers.first("content-length") == "3")
    #expect(CacheControl(of: updated.headers).maxAge == 9)
    #expect(updated.responseTime == Self.now + 11)
  }

  @Test func a304OfAnotherBodyConfirmsNothing() {
    let stored = Self.kept(["ETag: \"a\""])
    #expect(CacheRules.confirms(Self.fields(["ETag: \"a\""]), stored))
    #expect(CacheRules.confirms(Self.fields(["ETag: W/\"a\""]), stored))
    #expect(CacheRules.confirms([], stored))
    #expect(!CacheRules.confirms(Self.fields(["ETag: \"b\""]), stored))
  }

  @Test func onlyUnsafeMethodsThatSucceedInvalidate() {
    #expect(CacheRules.invalidates("PUT", status: 204))
    #expect(CacheRules.invalidates("POST", status: 303))
    #expect(CacheRules.invalidates("DELETE", status: 200))
    #expect(!CacheRules.invalidates("PUT", status: 409))
    #expect(!CacheRules.invalidates("HEAD", status: 200))
    #expect(!CacheRules.invalidates("PROPFIND", status: 207))
  }
}
