package import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

extension Engine {
  /// The logins that a person makes for the workflow, and the steps whose login depends on a
  /// response, so that it is known only when they begin. Nothing is sent.
  ///
  /// - Parameter inputs: The values of the inputs that are known.
  /// - Throws: What is wrong with a value that a login is made of.
  package func wantedLogins(
    inputs: JSONNode
  ) throws(FailureReason) -> (logins: [WantedLogin], unknown: [String]) {
    let context = RunContext(
      transport: transport, options: options, limits: plan.workflow.limits, redactor: Redactor(),
      trust: Trust(plan: plan, inputs: ScopeValue(inputs), sandboxOrigin: options.sandboxOrigin),
      sink: nil, controls: RunControls())
    let search = try LoginSearch(plan, inputs: inputs, context)
    return (search.found, search.unknown)
  }

  /// Makes sure that a person has made every login that a run is sure to need.
  func checkLogins(_ inputs: JSONNode) throws(InputError) {
    guard plan.needsLogin, !(transport is any StandInTransport),
      // What is wrong with a value is the failure of the step that has it.
      let wanted = try? wantedLogins(inputs: inputs)
    else { return }
    var problems: [InputProblem] = []
    for login in wanted.logins where login.isCertain {
      guard let message = login.problem(for: options) else { continue }
      problems.append(InputProblem(name: login.name, message: message))
    }
    if !problems.isEmpty { throw InputError(problems: problems) }
  }
}

extension WantedLogin {
  /// Why a run with these options cannot use the login; `nil` if it can, as far as is known.
  fileprivate func problem(for options: RunOptions) -> String? {
    guard let store = options.logins else { return claim.needsStore.message }
    do throws(LoginProblem) {
      return try problem(in: store)
    } catch {
      return error.message
    }
  }
}
