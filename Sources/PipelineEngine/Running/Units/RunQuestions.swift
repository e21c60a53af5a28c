internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTransports
internal import Synchronization

/// The questions of a run: what earlier processes asked, and how long people have been waited for.
final class RunQuestions: Sendable {
  private struct State {
    var open = 0
    var since = Duration.zero
    var waited = Duration.zero
    /// The names of the questions that came up in this process.
    var names: Set<String> = []
  }

  /// When the run began, in seconds since 1970.
  let startedAt: Double
  private let asked: [String: AskedQuestion]
  private let state = Mutex(State())

  init(_ asked: [AskedQuestion] = [], startedAt: Double = 0) {
    self.asked = Dictionary(asked.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    self.startedAt = startedAt
  }

  /// The question as it was asked before; `nil` if it was not.
  func earlier(_ name: String) -> AskedQuestion? { asked[name] }

  /// A question has come up.
  func note(_ name: String) { state.withLock { _ = $0.names.insert(name) } }

  /// The answers for one item, among those given, whose questions have not come up.
  func unused(_ answers: [String: JSONValue]) -> [String] {
    guard !answers.isEmpty else { return [] }
    let names = state.withLock { $0.names }
    return answers.keys.sorted().filter { key in
      guard let name = AnswerName(key), !name.path.isEmpty else { return false }
      return !names.contains(UnitKey(step: name.step, place: name.path, digest: nil).name)
    }
  }

  /// A question was shown to a person.
  func begin(at time: Duration) {
    state.withLock { state in
      if state.open == 0 { state.since = time }
      state.open += 1
    }
  }

  /// The person has answered.
  func end(at time: Duration) {
    state.withLock { state in
      state.open -= 1
      if state.open == 0 { state.waited += time - state.since }
    }
  }

  /// How long a person has been waited for, which counts for no deadline.
  func waited(at time: Duration) -> Duration {
    state.withLock { $0.waited + ($0.open > 0 ? time - $0.since : .zero) }
  }
}
