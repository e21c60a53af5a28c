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

/// How tests are run.
struct TestSettings: Sendable {
  let orders: Int
  let seed: UInt64
  let filter: String?
  let requiresAll: Bool
  let isLive: Bool
  let updates: Bool
  let color: ColorChoice
  private let reportTexts: [String]

  init(_ arguments: inout Arguments) {
    orders =
      arguments.number(
        "orders", in: 1...1_000_000,
        help: "Play each test under N orders of answers; all must give the same outputs") ?? 1
    seed =
      arguments.number("seed", in: 0...Int.max, help: "Draw the orders from N").map {
        UInt64($0)
      } ?? 1
    filter = arguments.value(
      "filter", "TEXT", .any, help: "Run only tests whose file or name contains TEXT")
    requiresAll = arguments.flag(
      "require-all", help: "Fail if no test ran a step, or took a branch")
    isLive = arguments.flag(
      "live", help: "Send the requests, and report what of the answers has changed")
    updates = arguments.flag(
      "update", help: "Rewrite expected outputs, and with --live recordings, with what came")
    reportTexts = arguments.values(
      "report", "FORMAT[=FILE]", .any,
      help: "Also write junit=FILE, tap=FILE, markdown=FILE, json or github (repeatable)")
    color = arguments.color()
  }

  /// The reports that are asked for, which can be written.
  func reports() throws -> [TestReport] {
    var reports: [TestReport] = []
    let isFormat = { TestReport.Format(rawValue: $0) != nil }
    for (name, path) in reportTexts.flatMap({ ReportFiles.pairs(in: $0, isKind: isFormat) }) {
      guard let format = TestReport.Format(rawValue: name) else {
        throw UsageError(
          message: "--report takes junit=FILE, tap=FILE, markdown=FILE, json or github,"
            + " not '\(name)'"
            + Spelling.didYouMean(name, among: TestReport.Format.words), command: "test")
      }
      if path.isEmpty, !format.needsNoFile {
        throw UsageError(
          message: "--report \(name) needs a file: --report \(name)=FILE", command: "test")
      }
      reports.append(
        TestReport(format: format, file: path.isEmpty ? nil : try AtomicFile(path: path)))
    }
    return reports
  }
}
