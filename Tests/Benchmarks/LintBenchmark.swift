import Foundation
import PipelineLint
import PipelineSourceText

/// Linting generated workflows of growing size: how long it takes, and that a step of a large one costs
/// no more than a step of a small one.
///
/// The time of the processor is disturbed less by other programs, and counts what all threads do.
struct LintBenchmark {
  let rounds: Int
  let stepCounts: [Int]

  /// How long so many steps may take.
  private static let goal = (stepCount: 10_000, milliseconds: 250.0)

  func run() {
    print("medians of \(rounds) rounds; × is the time of a step, beside the smallest file's")
    var first: Double?
    for count in stepCounts {
      let file = SourceFile(
        name: "generated.json", bytes: Array(GeneratedWorkflow.json(stepCount: count).utf8))
      let times = (0..<rounds).map { _ in self.times(of: file) }
      let wall = Self.median(times.map(\.wall))
      let ratio = wall / Double(count) / (first ?? wall / Double(count))
      first = first ?? wall / Double(count)
      var line = "  \(pad("\(count)", 7)) steps, \(pad("\(file.bytes.count / 1024)", 6)) KB"
      line +=
        "\(milliseconds(wall)) ms  of the processor\(milliseconds(Self.median(times.map(\.processor)))) ms"
      line += "  \(String(format: "%.2f", ratio)) ×"
      if count == Self.goal.stepCount {
        let isMet = wall * 1000 <= Self.goal.milliseconds
        line += "  goal \(Int(Self.goal.milliseconds)) ms  \(isMet ? "met" : "NOT MET")"
      }
      if times.contains(where: { $0.findings > 0 }) { line += "  lint has findings" }
      print(line)
    }
  }

  /// Until all is known of the file: the command ends then, and takes nothing apart.
  private func times(of file: SourceFile) -> (wall: Double, processor: Double, findings: Int) {
    let (start, startOfProcessor) = (ContinuousClock.now, clock())
    let linted = Linter().lint(file)
    let wall = (ContinuousClock.now - start).inSeconds
    let processor = Double(clock() - startOfProcessor) / Double(CLOCKS_PER_SEC)
    return (wall, processor, linted.diagnostics.count)
  }

  private static func median(_ seconds: [Double]) -> Double {
    Figures(name: "lint", unit: .seconds, values: seconds).median
  }

  private func milliseconds(_ seconds: Double) -> String {
    pad(String(format: "%.1f", seconds * 1000), 8)
  }

  private func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
