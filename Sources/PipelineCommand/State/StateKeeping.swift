internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSourceText

/// What happens to the state of a workflow that is run.
enum StateKeeping: Sendable {
  /// The workflow keeps none.
  case none
  /// Every run begins with the defaults.
  case forgotten
  case kept(KeptState)
  /// The run begins with these values and leaves none.
  case given([String: JSONValue])

  /// Finds and takes the state, before anything is sent.
  init(_ options: StateOptions, of plan: Plan, _ console: Console) throws(StateProblem) {
    let workflow = plan.workflow
    guard let place = try Self.place(options, of: plan, console) else {
      self = .none
      return
    }
    let environment = workflow.environmentName(options)
    guard let path = place.path else {
      self = .forgotten
      return
    }
    self = .kept(
      try KeptState(place, path: path, of: workflow, environment: environment, console.files))
  }

  /// Where the state is; `nil` if the workflow keeps none.
  private static func place(
    _ options: StateOptions, of plan: Plan, _ console: Console
  ) throws(StateProblem) -> StatePlace? {
    let workflow = plan.workflow
    if workflow.keepsStateOrColumns {
      return try StatePlace(
        options, of: workflow, variables: console.environment)
    }
    guard options.file != nil else { return nil }
    throw StateProblem(
      message: "'\(workflow.source.name)' has no 'state'; remove --state",
      status: .usage)
  }

  /// The values that a run would get, and the file that holds them. Nothing is taken.
  static func kept(
    _ options: StateOptions, of plan: Plan, _ console: Console
  ) throws(StateProblem) -> (state: [String: JSONValue], path: String?) {
    // To look ahead, a place is not needed.
    let location = try? StoreLocation(options.store, environment: console.environment)
    if options.file == nil, plan.workflow.source.name == "-" || location == .unknown {
      return ([:], nil)
    }
    guard let place = try place(options, of: plan, console),
      let record = try KeptState.record(
        place, of: plan.workflow, environment: plan.workflow.environmentName(options),
        console.files)
    else { return ([:], nil) }
    return (record.state, place.path)
  }

  /// The state that the run is given.
  var state: [String: JSONValue] {
    switch self {
    case .kept(let kept): kept.record?.state ?? [:]
    case .given(let state): state
    case .none, .forgotten: [:]
    }
  }

  /// A note that is printed before the run.
  func note(_ workflow: Workflow) -> String? {
    guard case .forgotten = self else { return nil }
    return
      "\(workflow.source.name) begins with the defaults of its state and leaves no state, because"
      + " the store is off\n"
  }
}

extension Plan {
  /// The problem with kept values; `nil` if there is none.
  ///
  /// - Parameter path: The file that holds them.
  func problem(with state: [String: JSONValue], path: String, _ options: RunOptions)
    -> StateProblem?
  {
    let problems = self.state(given: state, options: options).problems
    guard !problems.isEmpty else { return nil }
    return StateProblem(
      message:
        "the state in '\(path)' does not fit the workflow; change it with 'pipeline state FILE set NAME VALUE'",
      lines: problems.map { "\(path): error: \($0.message)\n" }.joined(), status: .invalid)
  }
}
