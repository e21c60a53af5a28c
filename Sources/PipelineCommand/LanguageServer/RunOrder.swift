internal import PipelineJSONText
internal import PipelineRPC

/// A command line that the user of an editor wants to be carried out.
struct RunOrder: Sendable {
  enum Action: String, Sendable, CaseIterable {
    case run, plan, test
    /// Show a run that is kept.
    case show

    /// The name of the editor's command.
    var command: String { "pipeline." + rawValue }

    static var names: [JSONValue] { allCases.map { .string($0.command) } }
  }

  /// The request that is answered when it has ended.
  let request: RPCIdentifier
  let action: Action
  let path: String
  /// The step that is run alone, with those that it needs; of `show` the run.
  let name: String?
  /// Whether the editor shows that it is under way.
  var showsProgress = false

  /// Whether the editor's lenses are asked for again when it has ended.
  var refreshesLenses = false

  var arguments: [String] {
    if action == .show { return ["runs", "show"] + (name.map { [$0] } ?? []) }
    return [action.rawValue, path] + (name.map { ["--only", $0] } ?? [])
  }

  var title: String {
    "pipeline " + (action == .show ? "runs show" : action.rawValue) + (name.map { " \($0)" } ?? "")
  }
}
