import Testing

@testable import PipelineHTTPTerms

/// What responses announce of limits, vendor by vendor.
@Suite struct AnnouncedLimitTests {
  private static let now = 1_767_225_600.0

  private func read(_ fields: [(String, String)]) -> [AnnouncedLimit] {
    AnnouncedLimit.all(in: fields.map { (name: $0.0, value: $0.1) }, now: Self.now)
  }

  private func only(_ fields: [(String, String)]) throws -> AnnouncedLimit {
    let all = read(fields)
    #expect(all.count == 1)
    return try #require(all.first)
  }

  @Test func theCurrentDraftNamesPolicies() throws {
    let all = read([
      ("RateLimit-Policy", #""burst";q=100;w=60, "daily";q=1000;w=86400"#),
      ("RateLimit", #""burst";r=50;t=30, "daily";r=999;t=3600;pk=:YXBw:"#),
    ])
    #expect(all.map(\.remaining) == [50, 999])
    #expect(all.map(\.limit) == [100, 1000])
    #expect(all.map(\.window) == [60, 86_400])
    #expect(all.map(\.reset) == [.after(30), .after(3600)])
    #expect(all[0].name != all[1].name)
  }

  @Test func aPolicyOfBytesCountsNoRequests() {
    #expect(
      read([
        ("RateLimit-Policy", #""traffic";q=1000;qu="content-bytes";w=60"#),
        ("RateLimit", #""traffic";r=0;t=30"#),
      ]).isEmpty)
  }

  @Test func olderDraftsHaveADictionaryOrThreeFields() throws {
    let dictionary = try only([("RateLimit", "limit=100, remaining=50, reset=30")])
    #expect(dictionary.remaining == 50)
    #expect(dictionary.limit == 100)
    #expect(dictionary.reset == .after(30))
    let three = try only([
      ("RateLimit-Limit", "100, 100;w=60"), ("RateLimit-Remaining", "50"),
      ("RateLimit-Reset", "30"),
    ])
    #expect(three.limit == 100)
    #expect(three.window == 60)
    #expect(three.reset == .after(30))
    #expect(three.isWhole)
  }

  @Test(arguments: [
    ("X-RateLimit-Reset", "1767225630", AnnouncedLimit.Reset.at(1_767_225_630), true),
    ("x-ratelimit-reset", "1767225630.5", .at(1_767_225_630.5), false),
    ("X-Rate-Limit-Reset", "1767225630500", .at(1_767_225_630.5), false),
    ("X-RateLimit-Reset", "30", .after(30), true),
    ("X-RateLimit-Reset-After", "1767225630", .after(1_767_225_630), true),
    ("X-RateLimit-Reset", "Thu, 01 Jan 2026 00:00:30 GMT", .at(1_767_225_630), true),
    ("X-RateLimit-Reset", "2026-01-01T00:00:30Z", .at(1_767_225_630), true),
    ("X-RateLimit-Reset", "1m30s", .after(90), false),
    ("X-RateLimit-Reset", "250ms", .after(0.25), false),
  ])
  func aResetHasManySpellings(
    _ name: String, _ text: String, _ reset: AnnouncedLimit.Reset, _ isWhole: Bool
  ) throws {
    let limit = try only([("X-RateLimit-Remaining", "7"), (name, text)])
    #expect(limit.reset == reset)
    #expect(limit.isWhole == isWhole)
  }

  @Test func otherWordsNameAGroup() throws {
    let all = read([
      ("X-RateLimit-Limit-Minute", "10"), ("X-RateLimit-Remaining-Minute", "9"),
      ("anthropic-ratelimit-requests-remaining", "4"),
      ("anthropic-ratelimit-requests-reset", "2026-01-01T00:00:30Z"),
      ("anthropic-ratelimit-tokens-remaining", "0"),
      ("anthropic-ratelimit-tokens-reset", "2026-01-01T00:00:30Z"),
    ])
    #expect(all.map(\.remaining) == [9, 4])
    #expect(all.map(\.reset) == [.after(60), .at(1_767_225_630)])
  }

  @Test func aBucketOfShopifyEmptiesIn20Seconds() throws {
    let limit = try only([("X-Shopify-Shop-Api-Call-Limit", "32/40")])
    #expect(limit.remaining == 8)
    #expect(limit.limit == 40)
    #expect(limit.refill == 2)
  }

  @Test(arguments: [
    "", "nan", "inf", "-inf", "0x10", "1e9", "1e", "--1", "\u{0}", "9/", "/", "/0", "40/0", "\"",
    "a;b",
    "a=", ";;;", ",,,", "\"a\\", "١٢",
  ])
  func whatIsNoNumberIsLeftOut(_ text: String) {
    for name in ["X-RateLimit-Remaining", "X-Shopify-Shop-Api-Call-Limit", "RateLimit"] {
      #expect(read([(name, text), ("X-RateLimit-Reset", "30")]).isEmpty)
    }
    #expect(
      read([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", text)]).allSatisfy {
        $0.reset == nil
      })
  }

  @Test func numbersBeyondSenseAreBounded() throws {
    let negative = try only([("X-RateLimit-Remaining", "-5"), ("X-RateLimit-Reset", "-5")])
    #expect(negative.remaining == 0)
    #expect(negative.reset == nil)
    let huge = try only([
      ("X-RateLimit-Remaining", "99999999999999999999999"), ("X-RateLimit-Limit", "1"),
    ])
    #expect(huge.remaining == 1e15)
    let policies = (0..<500).map { "\"p\($0)\";r=0;t=30" }.joined(separator: ", ")
    #expect(read([("RateLimit", policies)]).count == 16)
    #expect(read((0..<500).map { ("X-RateLimit-Remaining-G\($0)", "0") }).count == 16)
  }
}
