internal import PipelineJSONText
internal import Synchronization

/// The answers that a run has taken, for its recording.
final class AnswerLog: Sendable {
  private let answers = Mutex<[String: JSONValue]>([:])

  func note(_ name: String, _ value: JSONValue) { answers.withLock { $0[name] = value } }

  /// All of them, by their names; `nil` if there was none.
  var node: JSONNode? {
    let answers = answers.withLock { $0 }
    guard !answers.isEmpty else { return nil }
    return JSONValue.object(
      answers.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { JSONValue.Member($0.key, $0.value) }
    ).node
  }
}
