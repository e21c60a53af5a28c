internal import PipelineJSONText
internal import PipelineRPC

/// A command line that the user of an editor wants to be carried out.
struct RunOrder: Sendable {
  enum Action: String, Sendable, CaseIterable {
    case run, plan, test

    /// The name of the editor's command.
    var command: String { "pipeline." + rawValue }

    static var names: [JSONValue] { allCases.map { .string($0.command) } }
  }

  /// The request that is answered when it has ended.
  let request: RPCIdentifier
  let action: Action
  let path: String
  /// The step that is run alone, with those that it needs.
  let step: String?
  /// Whether the editor shows that it is under way.
  var showsProgress = false

  var arguments: [String] {
    [action.rawValue, path] + (step.map { ["--only", $0] } ?? [])
  }

  var title: String { "pipeline \(action.rawValue)" + (step.map { " \($0)" } ?? "") }
}
