import PipelineJSONText
import PipelineKit

@testable import PipelineEngine
import PipelinePlanning

/// Runs a plan on paper: `RunState` decides, and each unit of work takes as long, and ends, as the
/// test says. No task, no clock.
struct Timeline {
  /// How one unit ends, and after how long.
  struct Work {
    var length: Int
    var outcome: UnitOutcome

    static func ok(_ length: Int, _ values: String = "{}") -> Work {
      Work(length: length, outcome: .values(Array(values.utf8)))
    }

    static func fails(_ length: Int, _ kind: FailureReason.Kind = .network) -> Work {
      Work(length: length, outcome: .failed(FailureReason(kind, "broke")))
    }
  }

  /// News from outside, at a time.
  enum News {
    case stop(FailureReason)
    case pause, resume
  }

  /// A unit that has ended, and when.
  struct Ended {
    let label: StepLabel
    let item: Int?
    let start: Int
    let end: Int
  }

  private struct Pending {
    let unit: Unit
    let row: String
    let start: Int
    var end: Int
    var outcome: UnitOutcome
  }

  private(set) var rows: [(name: String, text: String)] = []
  private(set) var report: RunReport?
  private(set) var events: [RunEvent.Kind] = []
  /// The same, with their times.
  private(set) var timed: [RunEvent] = []
  /// The units that have ended, in the order they did.
  private(set) var units: [Ended] = []
  /// The most units that were at work at once.
  private(set) var peak = 0

  /// - Parameters:
  ///   - work: What a step's unit does, by the step's id and the item's number.
  ///   - isDrawn: Whether there is a drawing, which has a column for each unit of time.
  ///   - order: Which of the units that end at the same time is told first; by default in the order
  ///     started.
  init(
    _ plan: Plan, concurrency: Int = 16, news: [Int: News] = [:],
    order: (inout [Int]) -> Void = { _ in }, isDrawn: Bool = true, work: (String, Int?) -> Work
  ) {
    var state = RunState(
      plan: plan, inputs: ScopeValue(text: Array("{}".utf8)),
      identity: RunIdentity(id: "1", startedAt: 0), concurrency: concurrency, isObserved: true)
    var pending: [Int: Pending] = [:]
    var timers: [Int: Int] = [:]
    var now = 0
    var actions: [Action] = []
    state.start()
    while report == nil {
      state.takeActions(into: &actions)
      for action in actions {
        switch action {
        case .values, .row, .rows, .rowsEnd, .hold, .refuse, .taken, .again: break
        case .startTimer(let frame, let length):
          timers[frame] = now + Int(length.components.seconds)
        case .stopTimer(let frame): timers[frame] = nil
        case .start(let unit):
          let planned = work(unit.label.id, unit.item)
          pending[unit.id] = Pending(
            unit: unit, row: Self.row(unit), start: now, end: now + planned.length,
            outcome: planned.outcome)
          peak = max(peak, pending.count)
        case .cancel(let units):
          // As in a task group: what cannot be cancelled alone goes on.
          for unit in units where unit.token != nil { cancel(unit.id, &pending, now) }
        case .cancelAll:
          for id in pending.keys { cancel(id, &pending, now) }
        case .emit(let event):
          events.append(event)
          timed.append(RunEvent(time: .seconds(now), kind: event))
        case .beginFinally: break
        case .finish(let finished): report = finished
        }
      }
      if report != nil { break }
      let nextNews = news.keys.filter { $0 > now || ($0 == now && now == 0) }.min()
      let nextEnd = pending.values.map(\.end).min()
      let nextTimer = timers.values.min()
      guard let next = [nextNews, nextEnd, nextTimer].compactMap({ $0 }).min() else { break }
      now = next
      if nextTimer == now, nextEnd != now {
        for frame in timers.filter({ $0.value == now }).keys.sorted() {
          timers[frame] = nil
          state.expire(frame: frame, at: .seconds(now))
        }
        continue
      }
      if let event = news[now], nextNews == now, nextEnd.map({ $0 >= now }) ?? true {
        apply(event, &state, now)
        if nextEnd != now { continue }
      }
      var due = pending.filter { $0.value.end == now }.map(\.key).sorted()
      order(&due)
      for id in due {
        guard let ended = pending.removeValue(forKey: id) else { continue }
        units.append(
          Ended(label: ended.unit.label, item: ended.unit.item, start: ended.start, end: now))
        if isDrawn { draw(ended) }
        state.finish(id, ended.outcome, at: .seconds(now))
      }
    }
  }

  private func apply(_ news: News, _ state: inout RunState, _ now: Int) {
    switch news {
    case .stop(let reason): state.stop(reason, at: .seconds(now))
    case .pause: state.pause()
    case .resume: state.resume(at: .seconds(now))
    }
  }

  private func cancel(_ id: Int, _ pending: inout [Int: Pending], _ now: Int) {
    pending[id]?.outcome = .cancelled
    pending[id]?.end = now
  }

  private static func row(_ unit: Unit) -> String {
    ([unit.label.id] + (unit.label.path + [unit.item].compactMap { $0 }).map(String.init))
      .joined(separator: " ")
  }

  private mutating func draw(_ work: Pending) {
    let end: Character =
      switch work.outcome {
      case .values: "|"
      case .failed: "!"
      case .cancelled: "x"
      case .skipped: "-"
      case .waiting: "?"
      }
    let text =
      String(repeating: " ", count: work.start)
      + String(repeating: "-", count: work.end - work.start) + String(end)
    rows.append((work.row, text))
  }

  /// One line a unit, in the order they began: its id and item, then a column for each unit of
  /// time; `|` ended well, `!` failed, `x` cancelled.
  var drawing: [String] {
    let width = rows.map(\.name.count).max() ?? 0
    let begins = { (row: (name: String, text: String)) in row.text.prefix { $0 == " " }.count }
    return rows.sorted { (begins($0), $0.name) < (begins($1), $1.name) }.map { row in
      row.name + String(repeating: " ", count: width - row.name.count + 1) + row.text
    }
  }
}
