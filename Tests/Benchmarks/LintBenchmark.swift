import Foundation
import SourceText
import Workflows

/// Linting generated workflows of growing size; in proportion to the steps, the time must not grow.
///
/// Times are the processor's, so that other programs on the machine disturb them less.
struct LintBenchmark {
  let rounds: Int
  let stepCounts: [Int]

  func run() {
    print("medians of \(rounds) rounds; × is the time of a step, beside the smallest file's")
    var first: Double?
    for count in stepCounts {
      let file = SourceFile(
        name: "generated.json", bytes: Array(GeneratedWorkflow.json(stepCount: count).utf8))
      let clean = Linter().lint(file).diagnostics.isEmpty
      let time = median { sink(Linter().lint(file).diagnostics.count) }
      let ratio = time / Double(count) / (first ?? time / Double(count))
      first = first ?? time / Double(count)
      print(
        "  \(pad(count, 7)) steps, \(pad(file.bytes.count / 1024, 6)) KB"
          + "\(pad(Int(time * 1e6), 9)) µs  \(pad(Int(time / Double(count) * 1e9), 6)) ns a step"
          + "  \(Double(Int(ratio * 100)) / 100) ×" + (clean ? "" : "  lint has findings"))
    }
  }

  private func median(_ work: () -> Void) -> Double {
    var times: [Double] = []
    for _ in 0..<rounds {
      let start = clock()
      work()
      times.append(Double(clock() - start) / Double(CLOCKS_PER_SEC))
    }
    return times.sorted()[times.count / 2]
  }

  private func pad(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
