internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSourceText

/// `pipeline plan`: what would run, without sending anything.
struct PlanCommand: ComputedCommand {
  private let workflow: String
  private let inputs: InputOptions
  private let each: String?
  private let state: StateOptions
  private let color: ColorChoice

  static let page = CommandPage(
    name: "plan",
    summary: "Show what would run, without sending anything",
    discussion: [
      "Steps are listed in the order in which they become ready. Steps with the same number may"
        + " run at the same time. Each step is shown with its dependencies, the references that"
        + " cause them, and its request with the inputs filled in. Secrets are shown as •••."
    ],
    examples: [
      Example(
        line: "pipeline plan workflows/users.json --set page=2",
        meaning: "Look at the requests before they are sent")
    ])

  init(_ arguments: inout Arguments) {
    workflow = arguments.workflow()
    inputs = InputOptions(&arguments, hasAnswers: false)
    each = arguments.each()
    state = StateOptions(&arguments)
    color = arguments.color()
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    guard
      let (_, plan) = PlanSource(console: console, color: color).plan(
        at: workflow, each: each, to: "planned"),
      let arguments = InputArguments.read(inputs, of: plan.workflow, console)
    else { return .invalid }
    var options = program.runOptions
    options.environment = state.environment
    let sources: [SecretLookup.Found]
    do throws(SecretProblem) {
      sources = try program.secrets.sources(
        of: plan, given: arguments.values.keys, named: inputs.secrets)
    } catch {
      console.complain(error.description)
      return .invalid
    }
    if let kept = KeptLogins(state.store, environment: console.environment) {
      options.logins = kept
    }
    options.loginCommand =
      LoginWords(
        file: workflow, environment: state.environment, inputs, state.store, of: plan.workflow
      ).command
    let (values, problems) = plan.inputs(given: arguments.values, options: options)
    // A missing value does not prevent looking ahead.
    let wrong = problems.filter { !$0.isMissing }
    guard wrong.isEmpty else {
      for problem in wrong { console.complain(problem.message) }
      return .invalid
    }
    do throws(StateProblem) {
      let kept = try StateKeeping.kept(state, of: plan, console)
      if let path = kept.path, let problem = plan.problem(with: kept.state, path: path, options) {
        throw problem
      }
      let text = PlanText(
        plan: plan, inputs: values, state: plan.state(given: kept.state, options: options).values,
        kept: kept.state, sources: sources,
        logins: PlannedLogin.all(of: plan, inputs: values, options), isOfRows: each != nil
      ).text
      let limits =
        plan.workflow.limits.announced
        ? KeptLimits(in: state.store, environment: console.environment)?.all() ?? [:] : [:]
      console.output.write(
        text + KnownLimitsText(limits, now: program.clock.wallTime).text(of: text))
      return .success
    } catch {
      return console.complain(error)
    }
  }
}
