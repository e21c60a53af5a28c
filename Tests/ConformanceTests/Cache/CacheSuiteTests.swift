import PipelineJSONText
import PipelineTestSupport
import Testing

/// The public test suite of HTTP caches, http-tests/cache-tests, for RFC 9111: those of its tests
/// that concern a private cache.
///
/// `cache-tests/tests.json` holds the tests as its `npm run export` prints them, in
/// `$CONFORMANCE_DIR` or `../shared/conformance`. It is never part of this repository.
@Suite(
  .enabled(
    if: Conformance.read("cache-tests/tests.json") != nil, "cache-tests/tests.json is not here"))
struct CacheSuiteTests {
  /// Required tests of behaviour that is optional and is not there: parts of a kept response
  /// (RFC 9111 §3.4), and `stale-while-revalidate` (RFC 5861 §3).
  private static let inapplicable: Set<String> = [
    "partial-use-headers", "partial-use-stored-headers", "stale-while-revalidate-window",
  ]

  @Test func everyRequiredTestThatAppliesPasses() async throws {
    let outcome = try await CacheSuite.run { $0 == "required" }
    #expect(Set(outcome.failures.keys) == Self.inapplicable, "\(outcome)")
    #expect(outcome.passed == 132)
    // A method of UPnP, with a hyphen.
    #expect(outcome.unwritable == ["invalidate-M-SEARCH"])
  }

  /// What no standard requires: as much as there was.
  @Test(arguments: [("optimal", 55), ("check", 49)])
  func optionalBehaviourStays(_ kind: String, _ passed: Int) async throws {
    let outcome = try await CacheSuite.run { $0 == kind }
    #expect(outcome.passed >= passed, "\(outcome)")
  }
}
