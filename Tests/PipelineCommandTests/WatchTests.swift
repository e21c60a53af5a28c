import PipelineTestSupport
import PipelineTestTraits
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `pipeline test --watch` as a person uses it: files are edited, and Ctrl-C ends it.
@Suite(
  .blocking, .enabled(if: ChildProcess.executable != nil, "the executable was not built"),
  .timeLimit(.minutes(2)))
struct WatchTests {
  private let folder = TemporaryFolder()

  private func writeWorkflow(_ path: String = "/users") {
    folder.write(
      """
      {"steps": [{"id": "list", "endpoint": "GET https://x.test\(path)",
        "extract": {"total": "$.total"}}], "outputs": {"total": "{{list.total}}"}}
      """, to: "users.json")
  }

  private func writeTests(total: String) -> String {
    folder.write(
      """
      {"workflow": "./users.json", "tests": [{"name": "one",
        "respond": {"list": {"json": {"total": 2}}},
        "expect": {"outputs": {"total": \(total)},
          "where": ["$.requests.list[0].url == 'https://x.test/users'"]}}]}
      """, to: "users.test.json")
  }

  /// The lines up to the summary of the next run of the tests.
  private func summary(_ child: ChildProcess) -> [String] {
    var lines: [String] = []
    while true {
      let line = child.errorLine()
      lines.append(line)
      if line.contains(" in 1 file") { return lines }
      // Nobody writes any more.
      if lines.suffix(20).count == 20, lines.suffix(20).allSatisfy(\.isEmpty) { return lines }
    }
  }

  @Test func filesThatChangeAreTestedAgainUntilCtrlC() throws {
    writeWorkflow()
    let tests = writeTests(total: "2")
    let child = try #require(ChildProcess(["test", tests, "--watch", "--color", "never"]))
    #expect(summary(child).last?.hasPrefix("1 test passed in 1 file") == true)
    // The test file.
    _ = writeTests(total: "3")
    var lines = summary(child)
    #expect(lines.last?.hasPrefix("1 of 1 test failed in 1 file") == true, "\(lines)")
    #expect(lines.contains { $0.contains("output 'total' is 2; expected 3") }, "\(lines)")
    // A file that is broken, as while somebody types.
    _ = writeTests(total: "")
    lines = summary(child)
    #expect(lines.last?.contains("1 file cannot be tested") == true, "\(lines)")
    _ = writeTests(total: "2")
    lines = summary(child)
    #expect(lines.last?.hasPrefix("1 test passed") == true, "\(lines)")
    // The workflow that it tests.
    writeWorkflow("/other")
    lines = summary(child)
    #expect(lines.last?.hasPrefix("1 of 1 test failed") == true, "\(lines)")
    writeWorkflow()
    lines = summary(child)
    #expect(lines.last?.hasPrefix("1 test passed") == true, "\(lines)")
    child.send(SIGINT)
    let end = child.wait()
    #expect(end.status == 130 && end.output.isEmpty && end.error.isEmpty, "\(end)")
  }
}
