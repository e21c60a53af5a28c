internal import PipelineTestSupport
package import Testing

/// Runs tests on threads of their own: those that wait for other programs, and those that talk to
/// servers.
///
/// On the runtime's threads a test that was suspended goes on when all tests have begun, which takes
/// a minute. By then the time limits of its requests may be over.
package struct OwnThreadsTrait: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(OwnThreads.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreadsTrait {
  /// For tests that wait for other programs, or talk to servers.
  package static var ownThreads: OwnThreadsTrait { OwnThreadsTrait() }
}
