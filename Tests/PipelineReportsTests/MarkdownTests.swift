import Foundation
import Testing

@testable import PipelineReports

@Suite struct MarkdownTests {
  private func trace(_ texts: [String]) -> RunTrace {
    var trace = RunTrace()
    trace.workflow = texts[0]
    trace.run = "k3f9"
    trace.status = "failed"
    trace.duration = 2_000_000
    for (number, text) in texts.enumerated() {
      var step = RunTrace.Step(id: text, action: "request", file: "a.json")
      step.start = number * 1_000
      step.end = 2_000_000
      step.time = 5_000
      step.outcomes.failed = 1
      trace.steps.append(step)
      trace.failures.append(
        RunTrace.Failed(
          step: text, path: [], item: number, kind: "status", message: text, method: "GET",
          url: text, attempts: 1, status: 500, body: text, details: nil, file: text, line: 3,
          column: 1, time: 0))
    }
    trace.failureCount = texts.count
    return trace
  }

  @Test func aRowOfTheTableIsARowWhateverTheNames() {
    let texts = awkwardTexts + ["a | b", "[x](http://y)", "@someone", "<!--", "**b**", "$x$"]
    let lines = MarkdownReport.text(of: trace(texts)).unicodeScalars
      .split(separator: "\n", omittingEmptySubsequences: false).map { String(Substring($0)) }
    let rows = lines.filter { $0.hasPrefix("| ") }
    #expect(rows.count == texts.count + 1)
    for row in rows {
      let bars = row.unicodeScalars.indices.count { index in
        let scalars = row.unicodeScalars
        guard scalars[index] == "|" else { return false }
        return index == scalars.startIndex || scalars[scalars.index(before: index)] != "\\"
      }
      #expect(bars == 8, "\(row)")
      #expect(!row.contains("<") && !row.contains("@"), "\(row)")
    }
    #expect(lines.count { $0.hasPrefix("```") } == 2)
  }

  @Test func aDiagramHoldsNamesAndTimesAlone() throws {
    let texts = ["a: b, c", "x;y", "```", "e\u{301}", "click a href \"x\""]
    let text = MarkdownReport.text(of: trace(texts))
    let start = try #require(text.range(of: "gantt\n")).upperBound
    let end = try #require(text.range(of: "```\n\nSteps")).lowerBound
    let bars = text[start..<end].split(separator: "\n").filter { $0.contains(" :") }
    #expect(bars.count == texts.count)
    #expect(bars.first == "    a__b__c :crit, 0, 2000")
    #expect(bars.allSatisfy { !$0.contains(";") && !$0.contains("\"") && !$0.contains("`") })
  }

  @Test func longRunsGiveShortReports() {
    let text = MarkdownReport.text(of: trace((0..<5_000).map { "step-\($0)" }))
    #expect(text.utf8.count < 60_000)
    #expect(text.contains("4,900 more steps.") && text.contains("4,990 more failures."))
  }
}
