import Foundation

/// Case R: what a run costs by default, with its journal and its trace, beside the same with
/// `--no-store`. Whole processes, in turns.
struct KeptRunCost {
  let program: String
  let rounds: Int
  let isQuick: Bool
  let server: BenchmarkServer
  let processes: Subprocess
  let folder: URL

  private static let extract = #""extract":{"email":"$.email","name":"$.name"}"#

  func measurements() throws -> [Measurement] {
    let one = try file(
      """
      {"steps":[{"id":"user","endpoint":"GET \(server.itemsURL)1",\(Self.extract)}],
      "outputs":{"last":"{{user.name}}"}}
      """)
    var all = try [start(one), besideCurl(one)]
    for count in isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000] {
      all += try beside("\(count) GETs at 64 at once", gets(count), goals: (1.1, 1.15))
    }
    return try all + posts() + reports() + resume()
  }

  // MARK: Cases

  /// What the store adds to a run of one request.
  private func start(_ one: String) throws -> Measurement {
    var measurement = Measurement("R", "1 request: what the store adds")
    let (kept, plain) = try race(kept(one), plain(one), rounds: 40)
    measurement.subject = figures("with", kept, in: .milliseconds) { $0.seconds }
    measurement.baseline = figures("without", plain, in: .milliseconds) { $0.seconds }
    if let subject = measurement.subject, let baseline = measurement.baseline {
      measurement.judge(subject.median - baseline.median, .milliseconds, .atMost(3))
    }
    return measurement
  }

  private func besideCurl(_ one: String) throws -> Measurement {
    var measurement = Measurement("R", "1 request without a store")
    guard let curl = Tool.path("curl") else {
      measurement.skipped = Tool.missing("curl")
      return measurement
    }
    let (ours, theirs) = try race(
      plain(one), [curl, "-s", "-o", "/dev/null", "\(server.itemsURL)1"], rounds: 40)
    measurement.subject = figures("pipeline", ours, in: .milliseconds) { $0.seconds }
    measurement.baseline = figures("curl", theirs, in: .milliseconds) { $0.seconds }
    judge(&measurement, 1.5)
    return measurement
  }

  private func posts() throws -> [Measurement] {
    guard server.nginx != nil else {
      var measurement = Measurement("R", "2000 POSTs at 64 at once")
      measurement.skipped = Tool.missing("nginx")
      return [measurement]
    }
    let workflow = try file(
      """
      {"limits":{"concurrency":64},"steps":[{"id":"order","forEach":{"from":1,"to":2000},"as":"id",
      "endpoint":"POST \(server.itemsURL){{id}}","body":{"json":{"n":"{{id}}"}},
      "extract":{"id":"$.id"}}],"outputs":{"last":"{{order[0].id}}"}}
      """)
    return try beside("2000 POSTs at 64 at once", workflow, goals: (1.5, nil))
  }

  /// With every report that goes to a file, beside a run that writes none.
  private func reports() throws -> [Measurement] {
    let workflow = try gets(isQuick ? 10_000 : 100_000)
    let kinds = ["html", "junit", "tap", "markdown", "github", "har", "otlp"]
    let options = kinds.flatMap {
      ["--report", "\($0)=\(folder.appendingPathComponent("report.\($0)").path)"]
    }
    let (with, without) = try race(kept(workflow, options), kept(workflow))
    return rows("every report, \(isQuick ? 10_000 : 100_000) GETs", with, without, (1.1, nil))
  }

  /// A run of which all is recorded but its last request, from the start of the process to the
  /// failure of that request.
  private func resume() throws -> [Measurement] {
    let count = isQuick ? 100_000 : 1_000_000
    let workflow = try file(
      """
      {"limits":{"concurrency":64,"requests":2000000,"items":2000000,"memory":"4GB"},"steps":[
      {"id":"user","forEach":{"from":1,"to":\(count)},"as":"id",
      "endpoint":"GET \(server.itemsURL){{id}}",\(Self.extract)},
      {"id":"last","dependsOn":["user"],"endpoint":"GET http://127.0.0.1:9/"}],
      "outputs":{"last":"{{user[0].name}}"}}
      """)
    let store = ["--quiet", "--store", folder.appendingPathComponent("resumed").path]
    _ = try processes.run([program, "run", workflow] + store, status: 1)
    let endings = try (0..<rounds).map { _ in
      try processes.run([program, "resume", workflow] + store, status: 1)
    }
    var time = Measurement("R", "resuming \(count) units")
    time.subject = figures("pipeline", endings, in: .seconds) { $0.seconds }
    var memory = Measurement("R", "resuming \(count) units, peak memory")
    memory.subject = figures("pipeline", endings, in: .megabytes) { $0.peakBytes / 1e6 }
    if let subject = time.subject {
      time.judge(subject.median, .seconds, isQuick ? nil : .atMost(2))
    }
    if let subject = memory.subject {
      memory.judge(subject.median, .megabytes, isQuick ? nil : .atMost(100))
    }
    return [time, memory]
  }

  private func beside(
    _ title: String, _ workflow: String, goals: (wall: Double, processor: Double?)
  ) throws -> [Measurement] {
    let (with, without) = try race(kept(workflow), plain(workflow))
    return rows(title, with, without, goals)
  }

  // MARK: Commands

  private func file(_ workflow: String) throws -> String {
    let path = folder.appendingPathComponent("\(UUID().uuidString).json").path
    try workflow.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private func gets(_ count: Int) throws -> String {
    try file(
      """
      {"limits":{"concurrency":64,"requests":2000000,"items":2000000},"steps":[{"id":"user",
      "forEach":{"from":1,"to":\(count)},"as":"id","endpoint":"GET \(server.itemsURL){{id}}",
      \(Self.extract)}],"outputs":{"last":"{{user[0].name}}"}}
      """)
  }

  private func kept(_ workflow: String, _ options: [String] = []) -> [String] {
    let store = folder.appendingPathComponent("store").path
    return [program, "run", "--quiet", "--store", store] + options + [workflow]
  }

  private func plain(_ workflow: String) -> [String] {
    [program, "run", "--quiet", "--no-store", workflow]
  }

  // MARK: Figures

  /// Both commands in turns, each the first in every other round, after one that does not count.
  private func race(
    _ subject: [String], _ baseline: [String], rounds: Int? = nil
  ) throws -> ([Subprocess.Ending], [Subprocess.Ending]) {
    var endings: ([Subprocess.Ending], [Subprocess.Ending]) = ([], [])
    for round in 0...(rounds ?? self.rounds) {
      let early = round % 2 == 0 ? try processes.run(baseline) : nil
      let ours = try processes.run(subject)
      let theirs = try early ?? processes.run(baseline)
      guard round > 0 else { continue }
      endings.0.append(ours)
      endings.1.append(theirs)
    }
    return endings
  }

  private func rows(
    _ title: String, _ subject: [Subprocess.Ending], _ baseline: [Subprocess.Ending],
    _ goals: (wall: Double, processor: Double?)
  ) -> [Measurement] {
    let kinds: [(String, Double?, (Subprocess.Ending) -> Double)] = [
      ("", goals.wall, { $0.seconds }), (", processor", goals.processor, { $0.processorSeconds }),
    ]
    return kinds.map { suffix, goal, value in
      var measurement = Measurement("R", title + suffix)
      measurement.subject = figures("with", subject, in: .seconds, value)
      measurement.baseline = figures("without", baseline, in: .seconds, value)
      judge(&measurement, goal)
      return measurement
    }
  }

  private func judge(_ measurement: inout Measurement, _ goal: Double?) {
    guard let subject = measurement.subject, let baseline = measurement.baseline else { return }
    measurement.judge(subject.median / baseline.median, .times, goal.map { .atMost($0) })
  }

  private func figures(
    _ name: String, _ endings: [Subprocess.Ending], in unit: Unit,
    _ value: (Subprocess.Ending) -> Double
  ) -> Figures {
    let factor = unit == .milliseconds ? 1_000.0 : 1
    return Figures(name: name, unit: unit, values: endings.map { value($0) * factor })
  }
}
