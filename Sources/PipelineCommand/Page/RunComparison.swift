internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRPC
internal import PipelineRecordings
internal import PipelineReports
internal import SQLiteJournals

/// Two runs side by side: their traces, and the values that differ.
struct RunComparison {
  let store: RunStore
  let run: String
  let other: String

  /// The most differences of the values of one step.
  private static let most = 200

  var json: JSONValue {
    get throws(RPCError) {
      let (a, b) = (trace(run), trace(other))
      guard a != nil || b != nil else {
        throw .requestFailed("nothing that these runs did was kept for reports")
      }
      return [
        "a": a.map { JSONValue($0.root) } ?? .null, "b": b.map { JSONValue($0.root) } ?? .null,
        "values": .array(steps(a, b).flatMap(differences)),
      ]
    }
  }

  private func trace(_ run: String) -> JSONDocument? {
    store.runTrace(of: run).flatMap { try? JSONDocument.parse($0.json()) }
  }

  /// The steps of both, in the order of the first.
  private func steps(_ a: JSONDocument?, _ b: JSONDocument?) -> [String] {
    var steps: [String] = []
    for step in [a, b].compactMap({ $0?.root["steps"] }).flatMap({ Array($0.elements) }) {
      guard let id = step["id"]?.string, !steps.contains(where: { $0.equals(bytes: id) }) else {
        continue
      }
      steps.append(id)
    }
    return steps
  }

  private func differences(ofStep step: String) -> [JSONValue] {
    let values = [run, other].map { store.lastValues(ofStep: step, run: $0) }
    let none = JSONValue.object([]).document
    guard values.contains(where: { $0 != nil }) else { return [] }
    return JSONDifference.between(
      (values[0] ?? none).root, (values[1] ?? none).root, limit: Self.most
    ).map { difference in
      [
        "step": .string(step), "path": .string(difference.path),
        "a": difference.expected.map { .string($0) } ?? .null,
        "b": difference.actual.map { .string($0) } ?? .null,
      ]
    }
  }
}
