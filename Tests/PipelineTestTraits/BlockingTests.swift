internal import PipelineTestSupport
package import Testing

/// Runs tests that wait for other programs on threads of their own.
package struct BlockingTests: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(OwnThreads.shared) { try await function() }
  }
}

extension Trait where Self == BlockingTests {
  /// For tests that wait for other programs.
  package static var blocking: BlockingTests { BlockingTests() }
}
