internal import PipelineByteText
internal import PipelineHTTPServers
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSandboxServers

/// The logins of the workflow of a command line, ready to be made or renewed.
struct LoginSource: Sendable {
  let browser: Browser
  private let program: Program
  private let file: String
  private let plan: Plan
  private let given: InputArguments
  private let inputs: InputOptions
  private let environment: String?
  private let store: KeptLogins
  private let storeOptions: StoreOptions
  private let sandbox: SandboxServer?

  /// - Returns: `nil` if the file or its inputs cannot be read, which is then reported.
  init?(
    _ file: String, _ inputs: InputOptions, environment: String?, color: ColorChoice,
    _ store: KeptLogins, _ storeOptions: StoreOptions, program: Program
  ) {
    let console = program.console
    guard
      let (linted, plan) = PlanSource(console: console, color: color, isQuiet: true)
        .plan(at: file, to: "logged in for"),
      let given = InputArguments.read(inputs, of: plan.workflow, console)
    else { return nil }
    guard plan.needsLogin else {
      console.complain(
        "no step of '\(file)' has a login that a person makes: an \"oauth2\" whose \"grant\" is"
          + " \"authorizationCode\" or \"deviceAuthorization\"")
      return nil
    }
    var options = program.runOptions
    options.environment = environment
    let namesSandbox =
      linted.namesSandbox || plan.inputs(given: given.values, options: options).values.namesSandbox
    do {
      sandbox = namesSandbox ? try SandboxServer.start() : nil
    } catch {
      console.complain("cannot serve the sandbox: \(error.description)")
      return nil
    }
    self.program = program
    self.file = file
    self.plan = plan
    self.given = given
    self.inputs = inputs
    self.environment = environment
    self.store = store
    self.storeOptions = storeOptions
    browser = Browser(
      environment: console.environment,
      withheld: Set(plan.workflow.inputs.filter(\.isSecret).compactMap { $0.variable?.value }))
  }

  func stop() { sandbox?.stop() }

  /// The logins that follow from the inputs; `nil` if there is none, which is then reported.
  func logins() async -> [WantedLogin]? {
    let console = program.console
    var options = program.runOptions
    options.environment = environment
    options.sandboxOrigin = sandbox?.origin
    options.logins = store
    options.loginCommand =
      LoginWords(file: file, environment: environment, inputs, storeOptions, of: plan.workflow)
      .command
    do throws(SecretProblem) {
      try await program.secrets.fill(
        &options, of: plan, given: given.values.keys, named: inputs.secrets)
    } catch {
      console.complain(error.description)
      return nil
    }
    let (values, problems) = plan.inputs(given: given.values, options: options)
    // An input that is missing may have nothing to do with a login.
    let wrong = problems.filter { !$0.isMissing }
    guard wrong.isEmpty else {
      for problem in wrong { console.complain(problem.message) }
      return nil
    }
    let pipeline = Pipeline(plan, transport: program.transport(), options: options)
    do throws(FailureReason) {
      let (logins, unknown) = try pipeline.wantedLogins(inputs: values)
      for step in unknown {
        console.error.write(
          line:
            "note: the login of step '\(step)' depends on a response, so it cannot be made before"
            + " the run")
      }
      if logins.isEmpty {
        for problem in problems { console.complain(problem.message + problem.way) }
        if problems.isEmpty { console.complain("no login of '\(file)' is known before a run") }
        return nil
      }
      return logins
    } catch {
      console.complain(error.message)
      return nil
    }
  }
}
