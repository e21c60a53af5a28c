import Foundation

/// Cases that start the `pipeline` program, from its start to its printed outputs.
struct WholeProcess {
  let program: String
  let rounds: Int
  let isQuick: Bool
  let server: BenchmarkServer
  let processes: Subprocess
  let folder: URL

  var cases: [(String, () throws -> [Measurement])] {
    [("A", listAndItems), ("G", manyItems), ("H", largeBody), ("I", start), ("J", manyBodies)]
  }

  private static let extract = #""extract":{"email":"$.email","name":"$.name"}"#

  private func run(_ workflow: String, _ options: [String] = []) throws -> [String] {
    let path = folder.appendingPathComponent("\(UUID().uuidString).json").path
    try workflow.write(toFile: path, atomically: true, encoding: .utf8)
    // Not the store of whoever measures.
    let store = folder.appendingPathComponent("store").path
    return [program, "run", "--quiet", "--store", store] + options + [path]
  }

  /// Seconds of both, in turns, after one round that does not count.
  private func race(
    _ measurement: inout Measurement, _ subject: [String], _ name: String, _ baseline: [String]
  ) throws {
    var ours = Figures(name: "pipeline", unit: .seconds)
    var theirs = Figures(name: name, unit: .seconds)
    for round in 0...rounds {
      let mine = try processes.run(subject)
      let other = try processes.run(baseline)
      guard round > 0 else { continue }
      ours.values.append(mine.seconds)
      theirs.values.append(other.seconds)
    }
    measurement.subject = ours
    measurement.baseline = theirs
  }

  private func listAndItems() throws -> [Measurement] {
    var measurement = Measurement("A", "10,000 ids, then one GET each, whole process")
    guard let curl = Tool.path("curl"), let jq = Tool.path("jq") else {
      measurement.skipped = Tool.missing("curl", "jq")
      return [measurement]
    }
    let count = 10_000
    let list = try server.list(count)
    let config = folder.appendingPathComponent("urls").path
    let urls = (1...count).map { "url = \"\(server.itemsURL)\($0)\"\noutput = \"-\"" }
    try ("url = \"\(list.url)\"\noutput = \"/dev/null\"\n" + urls.joined(separator: "\n"))
      .write(toFile: config, atomically: true, encoding: .utf8)
    let command = try run(
      """
      {"limits":{"concurrency":64},"steps":[
      {"id":"list","endpoint":"GET \(list.url)","extract":{"ids":"\(list.ids)"}},
      {"id":"user","forEach":"$.list.ids","as":"id","endpoint":"GET \(server.itemsURL){{id}}",
      \(Self.extract)}],"outputs":{"users":"{{user}}"}}
      """)
    try race(
      &measurement, command, "curl | jq",
      [
        "/bin/sh", "-c",
        "\(curl) --parallel --parallel-max 64 -s -K \(config) | \(jq) -c '{email,name}'",
      ])
    if let ours = measurement.subject, let theirs = measurement.baseline {
      measurement.judge(theirs.median / ours.median, .times, .atLeast(1.6))
    }
    return [measurement]
  }

  private func manyItems() throws -> [Measurement] {
    let count = isQuick ? 100_000 : 1_000_000
    let rows = Double(count * (BenchmarkServer.rowText.utf8.count + 1)) / 1e6
    let kinds = [
      ("streamed", #""users":"{{user}}""#, 64.0),
      ("held", #""users":"{{user}}","last":"{{user[\#(count - 1)].email}}""#, 60 + rows),
    ]
    return try kinds.map { kind, outputs, bound in
      var measurement = Measurement("G", "\(count) items to ndjson, rows \(kind): peak memory")
      let command = try run(
        """
        {"limits":{"concurrency":64,"requests":2000000,"items":2000000,"memory":"4GB"},"steps":[
        {"id":"user","forEach":{"from":1,"to":\(count)},"as":"id",
        "endpoint":"GET \(server.itemsURL){{id}}",\(Self.extract)}],"outputs":{\(outputs)}}
        """, ["--format", "ndjson"])
      let ending = try processes.run(command)
      measurement.judge(ending.peakBytes / 1e6, .megabytes, .atMost(bound))
      measurement.notes.append(String(format: "took %.1f s; once", ending.seconds))
      return noted(measurement, ending)
    }
  }

  private func largeBody() throws -> [Measurement] {
    var measurement = Measurement("H", "one large body, $.data[*].id: peak memory / body")
    guard let nginx = server.nginx else {
      measurement.skipped = Tool.missing("nginx")
      return [measurement]
    }
    let files = ServedFiles(nginx: nginx)
    let body = try files.records("big.json", atLeast: isQuick ? 20_000_000 : 200_000_000)
    defer { files.remove("big.json") }
    let command = try run(
      """
      {"limits":{"responseSize":"1GB","memory":"4GB"},"steps":[{"id":"list",
      "endpoint":"GET \(body.url)","timeout":"5m","extract":{"ids":"$.data[*].id"}}],
      "outputs":{"ids":"{{list.ids}}"}}
      """)
    let ending = try processes.run(command)
    // What the program holds without any body would count for too much beside a small one.
    measurement.judge(
      ending.peakBytes / Double(body.byteCount), .times, isQuick ? nil : .atMost(2.6))
    measurement.notes.append(String(format: "took %.1f s; once", ending.seconds))
    return [noted(measurement, ending)]
  }

  private func start() throws -> [Measurement] {
    try [["lint", "workflows/users.json"], ["--version"]].map { words in
      var measurement = Measurement("I", "pipeline " + words.joined(separator: " "))
      var figures = Figures(name: "pipeline", unit: .milliseconds)
      for round in 0...40 {
        let seconds = try processes.run([program] + words).seconds
        if round > 0 { figures.values.append(seconds * 1e3) }
      }
      measurement.subject = figures
      measurement.judge(figures.median, .milliseconds, .atMost(12))
      let best = figures.values.min() ?? .nan
      measurement.notes.append(String(format: "best of 40: %.1f ms", best))
      return measurement
    }
  }

  private func manyBodies() throws -> [Measurement] {
    var measurement = Measurement("J", "64 bodies of 10 MB at once, whole process")
    guard let curl = Tool.path("curl") else {
      measurement.skipped = Tool.missing("curl")
      return [measurement]
    }
    let body = try server.largeBody()
    let config = folder.appendingPathComponent("bodies").path
    try (1...64).map { "url = \"\(body)?n=\($0)\"\noutput = \"/dev/null\"" }
      .joined(separator: "\n").write(toFile: config, atomically: true, encoding: .utf8)
    let command = try run(
      """
      {"limits":{"concurrency":64,"memory":"4GB"},"steps":[{"id":"body",
      "forEach":{"from":1,"to":64},"as":"n","endpoint":"GET \(body)?n={{n}}",
      "extract":{"status":{"status":true}}}],"outputs":{"all":"{{body}}"}}
      """)
    try race(
      &measurement, command, "curl --parallel",
      [curl, "--parallel", "--parallel-max", "64", "-s", "-K", config])
    if let ours = measurement.subject, let theirs = measurement.baseline {
      measurement.judge(ours.median / theirs.median, .times, .atMost(1.3))
    }
    return [measurement]
  }

  private func noted(_ measurement: Measurement, _ ending: Subprocess.Ending) -> Measurement {
    var measurement = measurement
    if ending.peakBytes <= rusage.ownPeakBytes {
      measurement.notes.append("no more than the benchmark's own peak: it may be less")
    }
    return measurement
  }
}
