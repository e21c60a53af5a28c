internal import PipelineKit
internal import PipelinePlanning

extension PageCalls {
  /// What to do about the logins that a run would lack, as far as they follow from the inputs that
  /// have a value before the form is filled in.
  ///
  /// - Parameter environment: The environment of the workflow; `nil` if none is chosen.
  func logins(of plan: Plan, at place: String, environment: String?) -> [String] {
    guard plan.needsLogin else { return [] }
    var options = program.runOptions
    options.environment = environment
    options.logins = KeptLogins(store, environment: program.console.environment)
    options.loginCommand =
      LoginWords(file: place, environment: environment, store, of: plan.workflow).command
    let (values, _) = plan.inputs(given: [:], options: options)
    return PlannedLogin.all(of: plan, inputs: values, options).filter { !$0.isReady }.map(\.words)
  }
}
