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
  .ownThreads, .enabled(if: ChildProcess.executable != nil, "the executable was not built"),
  .timeLimit(.minutes(5)))
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

  /// The lines of the next run of the tests whose summary begins so.
  ///
  /// On a loaded machine a file may be seen empty before it is written. It is tested again then.
  private func run(_ child: ChildProcess, endsWith summary: String) -> [String] {
    var lines: [String] = []
    var runs = 0
    while runs < 4 {
      let line = child.errorLine()
      lines.append(line)
      // Nobody writes any more.
      if lines.suffix(20).count == 20, lines.suffix(20).allSatisfy(\.isEmpty) { break }
      guard line.contains(" in 1 file") else { continue }
      if line.hasPrefix(summary) { return lines }
      runs += 1
    }
    Issue.record("no '\(summary)': \(lines)")
    return lines
  }

  @Test func filesThatChangeAreTestedAgainUntilCtrlC() throws {
    writeWorkflow()
    let tests = writeTests(total: "2")
    let child = try #require(ChildProcess(["test", tests, "--watch", "--color", "never"]))
    _ = run(child, endsWith: "1 test passed in 1 file")
    // The test file.
    _ = writeTests(total: "3")
    var lines = run(child, endsWith: "1 of 1 test failed in 1 file")
    #expect(lines.contains { $0.contains("output 'total' is 2; expected 3") }, "\(lines)")
    // A file that is broken, as while somebody types.
    _ = writeTests(total: "")
    lines = run(child, endsWith: "0 tests passed in 1 file; 1 file cannot be tested")
    #expect(lines.contains { $0.contains("users.test.json:3:") }, "\(lines)")
    _ = writeTests(total: "2")
    _ = run(child, endsWith: "1 test passed")
    // The workflow that it tests.
    writeWorkflow("/other")
    _ = run(child, endsWith: "1 of 1 test failed")
    writeWorkflow()
    _ = run(child, endsWith: "1 test passed")
    child.send(SIGINT)
    let end = child.wait()
    #expect(end.status == 130 && end.output.isEmpty && end.error.isEmpty, "\(end)")
  }
}
