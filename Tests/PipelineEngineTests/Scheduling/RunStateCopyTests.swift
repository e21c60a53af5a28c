import PipelineJSONText
import PipelineKit
import Testing

@testable import PipelineEngine
import PipelinePlanning

/// A `RunState` is a value: a copy goes on by itself, and leaves the original as it was.
struct RunStateCopyTests {
  /// A run on paper, whose copy is a copy of the state, too. Units end one after the other, in the
  /// order in which they were started.
  private struct Play {
    private var state: RunState
    private var pending: [Unit] = []
    private var time = 0
    /// What has happened so far, a line each.
    private(set) var lines: [String] = []
    private(set) var report: RunReport?

    init(_ plan: Plan, recorded: RecordedUnits? = nil) {
      state = RunState(
        plan: plan, inputs: ScopeValue(text: Array("{}".utf8)),
        identity: RunIdentity(id: "1", startedAt: 0), concurrency: 3, isObserved: true,
        keepsLineage: true, recorded: recorded)
      state.start()
      act()
    }

    /// Ends the next unit. `false`: the run has ended.
    mutating func step(_ outcome: (Unit) -> UnitOutcome) -> Bool {
      guard report == nil, !pending.isEmpty else { return false }
      let unit = pending.removeFirst()
      time += 1
      state.finish(unit.id, outcome(unit), at: .seconds(time))
      act()
      return true
    }

    /// Goes on to the end.
    mutating func finish(_ outcome: (Unit) -> UnitOutcome) {
      while step(outcome) {}
    }

    /// Something outside stops the run.
    mutating func cancel() {
      time += 1
      state.stop(FailureReason(.cancelled, "stopped"), at: .seconds(time))
      act()
    }

    private mutating func act() {
      var actions: [Action] = []
      state.takeActions(into: &actions)
      for action in actions {
        switch action {
        case .start(let unit):
          pending.append(unit)
          lines.append("start \(Self.name(unit))")
        case .cancel(let units): lines.append("cancel \(units.map(Self.name))")
        case .cancelAll: lines.append("cancel all")
        case .emit(let event): lines.append("\(event)")
        case .finish(let report):
          self.report = report
          lines.append("\(report)")
        case .values, .row, .rows, .rowsEnd, .startTimer, .stopTimer, .beginFinally, .hold, .refuse,
          .taken, .again:
          lines.append("\(action)")
        }
      }
    }

    private static func name(_ unit: Unit) -> String {
      "\(unit.label.id) \(unit.label.path) \(unit.item.map(String.init) ?? "")"
    }
  }

  /// Loops, blocks in loops, values that read rows, what recovers and what cleans up.
  private static let workflow = """
    {"steps": [
      {"id": "list", "endpoint": "GET https://api.example/list", "extract": {"n": "$.n"}},
      {"id": "each", "forEach": {"from": 1, "to": 4}, "onItemError": "collect",
       "endpoint": "GET https://api.example/{{item}}", "extract": {"n": "$.n"}},
      {"id": "blocks", "forEach": ["a", "b"], "as": "name", "onError": "recover",
       "otherwise": {"last": "none"},
       "steps": [
         {"id": "one", "endpoint": "GET https://api.example/{{name}}", "extract": {"n": "$.n"}},
         {"id": "two", "endpoint": "GET https://api.example/{{name}}/{{one.n}}"}],
       "finally": [{"id": "tidy", "endpoint": "DELETE https://api.example/{{name}}"}]},
      {"id": "sum", "values": {"n": "{{list.n}}", "first": "{{each[0].n}}"}},
      {"id": "more", "values": {"n": "{{sum.n}}"}}],
     "finally": [{"id": "end", "endpoint": "POST https://api.example/end"}],
     "outputs": {"n": "{{more.n}}", "rows": "{{each}}", "blocks": "{{blocks}}"}}
    """

  private static func succeeds(_ unit: Unit) -> UnitOutcome {
    .values(Array("{\"n\": \(unit.serial)}".utf8))
  }

  private static func fails(_ unit: Unit) -> UnitOutcome {
    .failed(FailureReason(.network, "broke"))
  }

  private func whole(_ plan: Plan) -> Play {
    var play = Play(plan)
    play.finish(Self.succeeds)
    return play
  }

  @Test func bothCopiesGoOnToEndsOfTheirOwn() throws {
    let plan = try plan(Self.workflow)
    let expected = whole(plan)
    #expect(expected.report?.status == .succeeded)
    var original = Play(plan)
    var moments = 0
    repeat {
      moments += 1
      var failing = original
      var cancelled = original
      let begun = original.lines
      failing.finish(Self.fails)
      cancelled.cancel()
      cancelled.finish { _ in .cancelled }
      #expect(failing.report?.status == (original.report == nil ? .failed : .succeeded))
      #expect(cancelled.report?.status == (original.report == nil ? .cancelled : .succeeded))
      #expect(original.lines == begun)
      var copy = original
      copy.finish(Self.succeeds)
      #expect(copy.lines == expected.lines)
    } while original.step(Self.succeeds)
    #expect(moments > 10)
    #expect(original.lines == expected.lines)
  }

  /// What a copy takes from the journal is still there for the original.
  @Test func bothCopiesTakeWhatWasRecorded() throws {
    let plan = try plan(Self.workflow)
    let journal = MemoryJournal()
    let fingerprints = UnitFingerprints()
    var first = Play(plan)
    first.finish { unit in
      if unit.label.id != "list", !unit.isCleanUp, case .values(let values) = Self.succeeds(unit) {
        let key = fingerprints.key(of: unit)
        journal.append(.unit(UnitRecord(key: key, outcome: .values(values))))
      }
      return Self.succeeds(unit)
    }
    var original = Play(
      plan, recorded: try RecordedUnits(journal.history(), UnitFingerprints()))
    var copy = original
    copy.finish(Self.succeeds)
    original.finish(Self.succeeds)
    #expect(journal.entries.count == 8)
    #expect(copy.report?.counts.taken == 8)
    #expect(copy.lines == original.lines)
    #expect(copy.report?.status == .succeeded)
  }

  @Test func aCopyEndsAsARunThatWentTheSameWay() throws {
    let plan = try plan(Self.workflow)
    var afterCopy = Play(plan)
    for _ in 0..<4 { _ = afterCopy.step(Self.succeeds) }
    var copy = afterCopy
    afterCopy.finish(Self.succeeds)
    copy.finish(Self.fails)
    var alone = Play(plan)
    for _ in 0..<4 { _ = alone.step(Self.succeeds) }
    alone.finish(Self.fails)
    #expect(copy.lines == alone.lines)
  }
}
