internal import PipelineByteText
package import PipelineJSONText
package import PipelineRecordings

/// Makes a workflow of what a browser or another client recorded.
///
/// Deterministic, and without a network. What it assumes is in `Result.edges`, and can be proved by
/// `TrafficReplay`.
package struct TrafficImporter {
  /// What a replay has disproved.
  package struct Exclusions: Sendable, Equatable {
    var places: Set<Correlation.Place> = []
    /// The numbers of entries that are steps of their own.
    var apart: Set<Int> = []

    package init() {}
  }

  package struct Result: Sendable {
    package let workflow: JSONValue
    package let report: ImportReport
    package let edges: [TrafficEdge]
    package let replay: TrafficReplay
    /// The seconds of the requests one after another, and if each begins as soon as it may.
    package let recordedTime: Double
    package let criticalTime: Double
  }

  private let file: String
  private let traffic: Traffic
  private let produced: ProducedValues
  private let second: (Traffic, ProducedValues)?
  private let isRelaxed: Bool

  /// Reads a recording.
  ///
  /// - Parameters:
  ///   - file: The name of the recording in messages.
  ///   - source: The recording.
  ///   - second: Another recording of the same actions with other data.
  ///   - isRelaxed: Whether only data orders the steps.
  /// - Throws: `Importer.Problem` if it is not a HAR file, or has no requests.
  /// - Complexity: Linear in the size of the files. Holds the requests and one response.
  package init(
    file: String, _ source: any RecordingSource, second: (any RecordingSource)?, isRelaxed: Bool
  ) throws(Importer.Problem) {
    self.file = file
    self.isRelaxed = isRelaxed
    do throws(RecordingProblem) {
      traffic = try Traffic(source)
      let other = try second.map { source throws(RecordingProblem) in try Traffic(source) }
      self.second = other.map { ($0, ProducedValues(of: $0)) }
    } catch {
      throw Importer.Problem(file: file, message: "it " + error.message)
    }
    guard !traffic.exchanges.isEmpty else {
      let reason = traffic.refused.first.map { "line \($0.line): \($0.message)" }
      throw Importer.Problem(
        file: file,
        message: reason.map { "no request in it can be translated: \($0)" }
          ?? "there are no requests in it")
    }
    produced = ProducedValues(of: traffic)
  }

  /// The workflow of the recording.
  ///
  /// - Parameter excluded: What earlier replays have disproved.
  package func result(excluding excluded: Exclusions = Exclusions()) -> Result {
    var traffic = traffic
    var correlator = Correlator(traffic, produced, excluding: excluded.places, second: second)
    let used = Set(correlator.correlations.map(\.producer.exchange))
    if let kept = traffic.removePages(unless: used.contains) {
      var other = second
      if var (traffic, produced) = second, let kept = traffic.removePages(unless: { _ in false }) {
        produced = produced.renumbered(kept)
        other = (traffic, produced)
      }
      correlator = Correlator(
        traffic, produced.renumbered(kept), excluding: excluded.places, second: other)
    }
    let steps = TrafficSteps(
      traffic, correlator.correlations, apart: excluded.apart, isRelaxed: isRelaxed)
    var writing = TrafficWriting(traffic, correlator, steps, isRelaxed: isRelaxed, file: file)
    return writing.result()
  }
}

/// An edge of the graph with its evidence, for people and programs.
package struct TrafficEdge: Sendable {
  package let from: String
  package let to: String
  /// Where the response has the value.
  package let produced: String
  /// Where the request sends it.
  package let used: String
  /// The value, shortened; a credential not at all.
  package let value: String
  package let bits: Int
  /// 0 to 3: how well the names agree.
  package let agreement: Int
  package let occurrences: Int
  package let isConfirmed: Bool?
  /// The places that were not taken, each with the reason.
  package let rejected: [(place: String, reason: String)]
  /// Whether the value is taken from there. Otherwise it stays as it was recorded.
  package let isKept: Bool
  /// The number of the entry that sends it, from 0.
  package let consumer: Int
  /// The number of the entry whose response has it; `nil` if it stays as recorded.
  package let producer: Int?

  /// The edge as JSON.
  package var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("to", .string(to)), .init("used", .string(used)), .init("value", .string(value)),
      .init("kept", .boolean(isKept)), .init("bits", JSONValue(bits)),
      .init("entry", JSONValue(consumer)),
    ]
    if isKept {
      members += [
        .init("fromEntry", JSONValue(producer ?? 0)), .init("from", .string(from)),
        .init("produced", .string(produced)),
        .init("names", JSONValue(agreement)), .init("occurrences", JSONValue(occurrences)),
      ]
      if let isConfirmed { members.append(.init("secondRecording", .boolean(isConfirmed))) }
    }
    members.append(
      .init(
        "rejected",
        .array(
          rejected.map {
            .object([.init("produced", .string($0.place)), .init("reason", .string($0.reason))])
          })))
    return .object(members)
  }

  /// The edge in lines for people.
  package var lines: [String] {
    var text = "\(to): \(used) = \(value)"
    if isKept {
      let names =
        agreement > 1 ? "the names agree" : agreement == 1 ? "the names are alike" : "no names"
      text += " from \(from): \(produced) (\(bits) bits, \(names)"
      text += ", \(occurrences) place\(occurrences == 1 ? "" : "s")"
      if isConfirmed == true { text += ", so in the second recording" }
      text += ")"
    } else {
      text += " stays as recorded"
    }
    return [text] + rejected.prefix(5).map { "  not \($0.place): \($0.reason)" }
  }
}
