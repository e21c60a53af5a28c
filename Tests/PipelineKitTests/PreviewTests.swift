import Foundation
import PipelineKit
import Testing

/// Reports and events that an app makes itself, for previews.
@Suite struct PreviewTests {
  private struct Account: Decodable, Equatable { let balance: Int }

  @Test func aResultIsMadeOfAReport() throws {
    let result = RunResult(report: RunReport(outputs: ["balance": 10]))
    #expect(try result.get().decode(Account.self) == Account(balance: 10))
    let failed = RunResult(
      report: RunReport(status: .failed, stopReason: FailureReason(.limit, "it took too long")))
    let error = #expect(throws: RunFailure.self) { try failed.decode(Account.self) }
    #expect(error?.localizedDescription == "it took too long")
  }

  @Test func eventsAreMade() {
    let events: [RunEvent] = [
      RunEvent(
        time: .zero,
        kind: .runStarted(.init(runID: "1", workflow: "a", steps: [.init(id: "user")]))),
      RunEvent(time: .seconds(1), kind: .stepStarted(.init(step: "user"))),
      RunEvent(
        time: .seconds(2),
        kind: .requestFinished(
          .init(step: "user", method: "GET", url: "https://a.example", status: 200))),
      RunEvent(time: .seconds(2), kind: .stepFinished(.init(step: "user", outcome: .succeeded))),
      RunEvent(time: .seconds(2), kind: .note(.init(step: nil, message: "done"))),
      RunEvent(time: .seconds(2), kind: .runFinished(RunReport())),
    ]
    var writer = JSONWriter()
    writer.beginArray()
    for event in events { event.write(to: &writer) }
    writer.endArray()
    #expect(writer.document().root.count == events.count)
  }
}
