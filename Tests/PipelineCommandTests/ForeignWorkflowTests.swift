import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// Tasks of other tools' workflows that once needed a trick, rewritten (`Tests/ForeignWorkflows`).
@Suite struct ForeignWorkflowTests {
  private static let folder = Conformance.packageRoot + "/Tests/ForeignWorkflows"

  private static func names() throws -> [String] {
    try FileSystem.system.names(folder).filter { $0.hasSuffix(".json") }
  }

  /// Whatever the order of answers is.
  @Test func eachHasTestsThatPass() async throws {
    let names = try Self.names()
    let tested = names.filter { $0.hasSuffix(".test.json") }
    #expect(tested.count >= 33 && tested.count * 2 == names.count)
    let outcome = await pipeline(["test", "--orders", "3", Self.folder])
    #expect(outcome.status == .success, "\(outcome.error)")
  }

  @Test func lintFindsNothingInThem() async throws {
    let outcome = await pipeline(["lint", "--strict", Self.folder])
    #expect(outcome.error == "No problems in \(try Self.names().count) files\n")
  }

  @Test func theTableNamesEach() throws {
    let bytes = try #require(readFile(Self.folder + "/README.md"))
    let text = String(decoding: bytes, as: UTF8.self)
    for name in try Self.names() where !name.hasSuffix(".test.json") {
      #expect(text.contains("](\(name))"), "\(name)")
    }
  }
}
