internal import PipelineByteText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineSourceText

/// `pipeline test`: what workflows do, without a network and in no time.
struct TestCommand: WaitingCommand {
  private let paths: [String]
  private let settings: TestSettings
  private let watches: Bool

  static let page = CommandPage(
    name: "test",
    summary: "Test workflows without a network",
    discussion: [
      "Runs the tests of *.test.json files. Answers come from the test file or from a recording."
        + " Time is virtual: retries, polls and waits take none. A folder stands for all test files"
        + " below it. Without operands, the folder 'workflows' is tested, or the current folder if it"
        + " does not exist.",
      "With --live the requests are sent. What the answers no longer have, newly have, or have in"
        + " another type is reported as drift.",
    ],
    examples: [
      Example(line: "pipeline test", meaning: "Test the workflows of this project"),
      Example(
        line: "pipeline test workflows --orders 100 --require-all",
        meaning: "Under a hundred orders of answers; fail if a step or branch is not tested"),
      Example(
        line: "pipeline test users.test.json --live",
        meaning: "Compare the server's answers with those that the tests give"),
    ])

  init(_ arguments: inout Arguments) {
    paths = arguments.operands(
      "FILE|FOLDER", .file(ending: ".test.json"), help: "What to test")
    settings = TestSettings(&arguments)
    watches = arguments.flag("watch", help: "Test again whenever a file changes")
  }

  func run(in program: Program) async -> ExitStatus {
    let reports: [TestReport]
    do {
      reports = try settings.reports()
    } catch let error as UsageError {
      program.console.complain(error.message)
      return .usage
    } catch let error as PathProblem {
      program.console.complain("cannot write '\(error.path)': \(error.reason)")
      return .usage
    } catch {
      program.console.complain("\(error)")
      return .failure
    }
    guard watches else { return await TestSession(program, settings, reports).run(paths) }
    return await withTaskGroup(of: ExitStatus.self) { group in
      group.addTask { await watch(program, reports) }
      let interrupts = program.console.interrupts()
      group.addTask {
        for await _ in interrupts { break }
        return .interrupted
      }
      let status = await group.next() ?? .failure
      group.cancelAll()
      return status
    }
  }

  /// Tests again when a file that was read has changed.
  private func watch(_ program: Program, _ reports: [TestReport]) async -> ExitStatus {
    while true {
      let session = TestSession(program, settings, reports)
      // Before the tests: what changes while they run is tested next.
      let state = session.watched(paths)
      _ = await session.run(paths)
      do {
        var now = state
        repeat {
          try await program.clock.sleep(for: .milliseconds(250))
          now = session.watched(paths)
        } while now == state
        // Many editors empty a file before they write it.
        var before: [String: Int]
        repeat {
          before = now
          try await program.clock.sleep(for: .milliseconds(100))
          now = session.watched(paths)
        } while now != before
      } catch {
        return .interrupted
      }
      program.console.error.write("\n")
    }
  }
}
