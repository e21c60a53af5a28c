internal import PipelineSourceText

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
