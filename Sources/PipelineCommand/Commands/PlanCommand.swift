internal import JSONText
internal import PipelineKit
internal import SourceText
internal import Workflows

/// `pipeline plan`: what would run, without sending anything.
struct PlanCommand: Sendable {
  let console: Console
  let clock: any RunClock

  func run(_ invocation: Invocation) -> ExitStatus {
    guard let (_, plan) = PlanSource(console: console).plan(of: invocation, to: "planned") else {
      return .invalid
    }
    guard let arguments = InputArguments.read(invocation, of: plan.workflow, console) else {
      return .invalid
    }
    var options = RunOptions()
    options.environment = invocation.value("environment")
    options.variables = console.environment
    options.unreadableVariables = console.unreadableVariables
    options.clock = clock
    let (values, problems) = plan.inputs(given: arguments.values, options: options)
    // What has no value yet is no obstacle to looking ahead.
    let wrong = problems.filter { !$0.isMissing }
    guard wrong.isEmpty else {
      for problem in wrong { console.complain(problem.message) }
      return .invalid
    }
    do throws(StateProblem) {
      let kept = try StateKeeping.kept(invocation, of: plan, console)
      if let path = kept.path, let problem = plan.problem(with: kept.state, path: path, options) {
        throw problem
      }
      console.output.write(
        PlanText(
          plan: plan, inputs: values, state: plan.state(given: kept.state, options: options).values,
          kept: Set(kept.state.keys)
        ).text)
      return .success
    } catch {
      return console.complain(error)
    }
  }
}
