internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineJournals
internal import PipelineTransports

/// What the units of a run come to, by their steps. It is counted while they are recorded, because
/// reading them takes long: a journal may have gigabytes.
struct UnitTally {
  /// One step, by the times of its units in milliseconds.
  private struct Step {
    let path: String
    var failed = 0
    var done = 0
    var times: [Int: Int] = [:]

    mutating func add(isFailed: Bool, time: Int) {
      if isFailed { failed += 1 } else { done += 1 }
      // The numbers of a file may be any.
      times[min(max(time, 0), 1 << 53), default: 0] += 1
    }

    var summary: RunHistory.Step {
      let count = failed + done
      let sorted = times.sorted { $0.key < $1.key }
      func time(_ share: Double) -> Duration {
        var place = min(count - 1, Int(Double(count) * share))
        for (time, count) in sorted {
          if place < count { return .milliseconds(time) }
          place -= count
        }
        return .zero
      }
      return RunHistory.Step(
        path: path, done: done, failed: failed, median: time(0.5), high: time(0.95),
        longest: .milliseconds(sorted.last?.key ?? 0))
    }
  }

  /// What is kept of it.
  struct Summary {
    let steps: [RunHistory.Step]
    let failures: [RunHistory.Failed]
  }

  private var steps: [Step] = []
  private var positions: [String: Int] = [:]
  /// The step of the unit before. The next unit is mostly of the same.
  private var last: (path: String, position: Int)?
  private var failures: [RunHistory.Failed] = []

  /// The most failures that are listed.
  static let mostFailures = 100

  mutating func add(_ unit: UnitRecord) {
    var isFailed = false
    if case .failed(let reason) = unit.outcome {
      isFailed = true
      add(failure: reason.message, of: unit.key)
    }
    add(step: unit.key.step, isFailed: isFailed, time: unit.duration.wholeMilliseconds)
  }

  mutating func add(step path: String, isFailed: Bool, time: Int) {
    let position: Int
    if let last, last.path.equals(bytes: path) {
      position = last.position
    } else if let known = positions[path] {
      position = known
    } else {
      position = steps.count
      positions[path] = position
      steps.append(Step(path: path))
    }
    last = (path, position)
    steps[position].add(isFailed: isFailed, time: time)
  }

  mutating func add(failure message: String, of unit: UnitKey) {
    guard failures.count < Self.mostFailures else { return }
    failures.append(RunHistory.Failed(unit: unit.name, message: message))
  }

  var summary: Summary { Summary(steps: steps.map(\.summary), failures: failures) }
}

extension UnitTally.Summary {
  /// The summary as the journal keeps it.
  ///
  /// - Parameter process: The last process that it has the units of.
  func json(ofProcess process: Int) -> String {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.member("process", process)
    writer.name("steps")
    writer.beginArray()
    for step in steps {
      writer.beginObject()
      writer.member("step", step.path)
      writer.member("done", step.done)
      writer.member("failed", step.failed)
      for (name, time) in [
        ("median", step.median), ("high", step.high), ("longest", step.longest),
      ] {
        writer.member(name, time.wholeMilliseconds)
      }
      writer.endObject()
    }
    writer.endArray()
    writer.name("failures")
    writer.beginArray()
    for failure in failures {
      writer.beginObject()
      writer.member("unit", failure.unit)
      writer.member("message", failure.message)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// A summary that was kept; `nil` if it is of another process, or damaged.
  init?(json: String, ofProcess process: Int) {
    guard let root = try? JSONDocument.parse(Array(json.utf8)).root,
      root["process"]?.number?.int == process, let steps = root["steps"],
      let failures = root["failures"]
    else { return nil }
    func count(_ node: JSONNode, _ name: String) -> Int {
      node[name]?.number?.int.map(FileNumber.count) ?? 0
    }
    self.steps = steps.elements.compactMap { step in
      step["step"]?.string.map { path in
        RunHistory.Step(
          path: path, done: count(step, "done"), failed: count(step, "failed"),
          median: .milliseconds(count(step, "median")), high: .milliseconds(count(step, "high")),
          longest: .milliseconds(count(step, "longest")))
      }
    }
    self.failures = failures.elements.compactMap { failure in
      failure["unit"]?.string.map { unit in
        RunHistory.Failed(unit: unit, message: failure["message"]?.string ?? "")
      }
    }
  }
}
