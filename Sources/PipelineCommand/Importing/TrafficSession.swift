internal import PipelineImports
internal import PipelineJSONText
internal import PipelineRecordings

/// An import of a recording: the workflow is made, proved, and made again without what a replay
/// disproved.
struct TrafficSession {
  let result: TrafficImporter.Result
  /// The replay of the responses as they are.
  let plain: TrafficProof
  /// The replay with fresh values; `nil` if no request takes a value.
  let perturbed: TrafficProof?
  private(set) var report: ImportReport

  /// A replay finds one wrong step at a time.
  private static let rounds = 20

  init(_ importer: TrafficImporter) async {
    var excluded = TrafficImporter.Exclusions()
    var result = importer.result()
    var plain = await TrafficProof.proof(of: result.workflow, result.replay, isPerturbed: false)
    var perturbed: TrafficProof?
    for _ in 0..<Self.rounds {
      perturbed = nil
      if plain.missing.isEmpty, result.replay.hasEdges {
        perturbed = await TrafficProof.proof(of: result.workflow, result.replay, isPerturbed: true)
      }
      guard let missing = plain.missing.first ?? perturbed?.missing.first else { break }
      let next = result.replay.exclusions(after: missing.expected, excluded)
      guard next != excluded else { break }
      excluded = next
      result = importer.result(excluding: excluded)
      plain = await TrafficProof.proof(of: result.workflow, result.replay, isPerturbed: false)
    }
    self.result = result
    self.plain = plain
    self.perturbed = perturbed
    report = result.report
    addFindings()
  }

  private mutating func addFindings() {
    for finding in plain.similar { note(finding, "\(finding.reason) than recorded") }
    if let first = plain.missing.first {
      note(first, "the replay stops before this request: \(first.reason)")
    }
    if let first = perturbed?.missing.first {
      note(first, "with fresh values the replay stops before this request: \(first.reason)")
    }
    for finding in perturbed?.constants ?? [] {
      note(finding, "it sends a value as recorded that a response gives, too")
    }
  }

  private mutating func note(_ finding: TrafficProof.Finding, _ message: String) {
    report.approximate(finding.expected.entry.line, message)
  }

  /// What is proved, in lines for people.
  var lines: [String] {
    var lines = report.leftOut.map { "left out: \($0.what) (\($0.count))" }
    let count = result.replay.expected.count
    let kept = result.edges.count { $0.isKept }
    lines.append("replay: \(plain.equal) of \(count) requests are as recorded")
    if let perturbed {
      lines.append(
        "with fresh values: \(perturbed.equal) of \(count) requests follow, by \(kept) "
          + "\(kept == 1 ? "value" : "values") of responses")
    }
    if result.criticalTime > 0 {
      lines.append(
        "time: \(Self.seconds(result.recordedTime)) one after another, "
          + "\(Self.seconds(result.criticalTime)) as the values allow" + shorter)
    }
    return lines
  }

  /// How much shorter the graph is than the recorded order; nothing if it is as long.
  private var shorter: String {
    guard result.recordedTime > 0 else { return "" }
    let percent = Int((100 * (1 - result.criticalTime / result.recordedTime)).rounded())
    return percent > 0 ? " (\(percent) % shorter)" : ""
  }

  private static func seconds(_ time: Double) -> String {
    let milliseconds = Int(time * 1000)
    return milliseconds < 1000
      ? "\(milliseconds) ms" : "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
  }

  /// What is proved, and the evidence, as JSON.
  var members: [JSONValue.Member] {
    let count = result.replay.expected.count
    var proof: [JSONValue.Member] = [
      .init("requests", JSONValue(count)), .init("asRecorded", JSONValue(plain.equal)),
    ]
    if let perturbed { proof.append(.init("withFreshValues", JSONValue(perturbed.equal))) }
    return [
      .init("proof", .object(proof)), .init("edges", .array(result.edges.map(\.json))),
      .init(
        "seconds",
        .object([
          .init("recorded", JSONValue(result.recordedTime) ?? .null),
          .init("critical", JSONValue(result.criticalTime) ?? .null),
        ])),
    ]
  }
}
