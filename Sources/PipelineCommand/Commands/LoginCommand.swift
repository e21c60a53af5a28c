internal import PipelineByteText
internal import PipelineHTTPServers
internal import PipelineKit
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSandboxServers
internal import PipelineSourceText

/// `pipeline login`: a person logs in at a server, so that runs can.
struct LoginCommand: WaitingCommand {
  private let workflow: String
  private let credential: String?
  private let opensNothing: Bool
  private let limit: String?
  private let inputs: InputOptions
  private let environment: String?
  private let store: StoreOptions
  private let color: ColorChoice

  static let page = CommandPage(
    name: "login",
    summary: "Log in at a server for the runs of a workflow",
    discussion: [
      "Makes the logins of \"oauth2\" whose 'grant' is \"authorizationCode\" or"
        + " \"deviceAuthorization\". The first opens a browser and waits until it comes back. The"
        + " second shows a code and where to type it, on any device, and waits until that is done."
        + " The tokens are kept beside the runs; 'pipeline credentials' lists and removes them.",
      "Without --credential, only missing logins are made. A login that is there is made anew if it is"
        + " the only one, or is named.",
    ],
    examples: [
      Example(line: "pipeline login workflows/login.json", meaning: "Log in with a code"),
      Example(
        line: "pipeline login mail.json --credential work --no-browser",
        meaning: "Show the address of one login, to open it elsewhere"),
    ])

  init(_ arguments: inout Arguments) {
    workflow = arguments.workflow()
    credential = arguments.value(
      "credential", letter: "c", "NAME", .any, help: "Make the login of this name")
    opensNothing = arguments.flag(
      "no-browser", help: "Show the address instead of opening a browser")
    limit = arguments.value(
      "within", "DURATION", .any,
      help: "How long to wait for you: 5m by default, or as long as a code is good for")
    inputs = InputOptions(&arguments, hasAnswers: false)
    environment = arguments.environment(help: "Use the inputs of this environment of the workflow")
    store = StoreOptions(needed: &arguments)
    color = arguments.color()
  }

  func run(in program: Program) async -> ExitStatus {
    let console = program.console
    do throws(UsageError) {
      let limit = try waitingLimit
      let kept = try KeptLogins.needed(store, environment: console.environment)
      guard
        let source = LoginSource(
          workflow, inputs, environment: environment, color: color, kept, store, program: program)
      else { return .invalid }
      defer { source.stop() }
      guard let found = await source.logins() else { return .invalid }
      let chosen = try choose(found, kept)
      for login in chosen {
        do throws(LoginProblem) {
          try await make(login, within: limit, source, kept, program)
        } catch {
          console.complain(error.message)
          return .failure
        }
      }
      return .success
    } catch {
      console.complain(error.message)
      return .usage
    }
  }

  private var waitingLimit: Duration? {
    get throws(UsageError) {
      guard let limit else { return nil }
      guard let duration = Quantities.duration(limit), duration > .zero else {
        throw UsageError(message: "--within takes a duration such as 10m, not '\(limit)'")
      }
      return duration
    }
  }

  /// The named login, or those that are missing.
  private func choose(
    _ found: [WantedLogin], _ store: KeptLogins
  ) throws(UsageError) -> [WantedLogin] {
    if let credential { return [try found.named(credential)] }
    if found.count == 1 { return found }
    let missing = found.filter { ((try? $0.problem(in: store)) ?? nil) != nil }
    guard missing.isEmpty else { return missing }
    throw UsageError(
      message: "all logins are there; name one to make it anew: --credential "
        + found.map { ShellWords.quoted($0.name) }.joined(separator: ", "))
  }

  // MARK: One login

  private func make(
    _ login: WantedLogin, within limit: Duration?, _ source: LoginSource, _ store: KeptLogins,
    _ program: Program
  ) async throws(LoginProblem) {
    let console = program.console
    let granted =
      login.grant == .authorizationCode
      ? try await inBrowser(login, within: limit ?? .seconds(300), source, program)
      : try await onDevice(login, within: limit, console)
    try await login.keep(granted, in: store)
    var text = "logged in: '\(login.name)'"
    if !granted.isRenewable {
      text += "; the server gave nothing to renew it with, so it ends with its token"
    }
    console.output.write(wrapping: Cells.printable(text) + "\n")
    if !granted.withheld.isEmpty {
      let names = granted.withheld.map { "'\($0)'" }.joined(separator: ", ")
      console.error.write(
        wrapping: Cells.printable("note: the server did not allow \(names)") + "\n")
    }
  }

  private func inBrowser(
    _ login: WantedLogin, within limit: Duration, _ source: LoginSource, _ program: Program
  ) async throws(LoginProblem) -> WantedLogin.Granted {
    let console = program.console
    let place = try login.redirectAddress()
    let pending = PendingBrowserLogin()
    let server: RedirectServer
    do throws(ServerError) {
      server = try RedirectServer(at: place) { query in pending.isAnswer(query) }
    } catch {
      throw LoginProblem(
        "the browser cannot come back to \(place.text(at: place.port)): \(error.description)")
    }
    defer { server.stop() }
    let begun = try login.browserLogin(redirectURL: server.address)
    pending.set(begun)
    let isOpened = !opensNothing && source.browser.open(begun.address)
    console.error.write(
      wrapping: isOpened
        ? "A browser opens for the login '\(Cells.printable(login.name))'. If it does not, open:\n"
        : "Open this address for the login '\(Cells.printable(login.name))':\n")
    console.error.write("\n  " + Cells.printable(begun.address) + "\n\n")
    if !isOpened, console.environment["SSH_CONNECTION"] != nil {
      console.error.write(
        wrapping: "From another machine, first type there: ssh -L"
          + " \(server.port):127.0.0.1:\(server.port) HOST\n")
    }
    console.error.write(
      wrapping: "Waiting for \(Quantities.text(of: limit)) until it is allowed; Ctrl-C gives up.\n")
    guard let query = await server.query(within: limit, on: program.clock) else {
      throw LoginProblem(
        "the browser did not come back within \(Quantities.text(of: limit)); nothing is kept, so log"
          + " in again, or give more time with --within")
    }
    return try await login.redeem(try begun.code(from: query), of: begun)
  }

  private func onDevice(
    _ login: WantedLogin, within limit: Duration?, _ console: Console
  ) async throws(LoginProblem) -> WantedLogin.Granted {
    let begun = try await login.deviceLogin()
    var text = "For the login '\(login.name)', open on any device: \(begun.address)\n"
    text += "and type the code: \(begun.userCode)\n"
    if let whole = begun.wholeAddress { text += "or open: \(whole)\n" }
    let time = min(begun.lifetime, limit ?? begun.lifetime)
    console.error.write(
      Cells.printableLines(text)
        + "Waiting for \(Quantities.text(of: time)) until it is allowed; Ctrl-C gives up.\n")
    return try await login.wait(for: begun, within: limit)
  }
}

extension [WantedLogin] {
  /// The login of a name.
  func named(_ name: String) throws(UsageError) -> WantedLogin {
    if let login = first(where: { $0.name.equals(bytes: name) }) { return login }
    let names = map(\.name)
    let nearest = Spelling.didYouMean(name, among: names)
    throw UsageError(
      message: "no step has a login '\(name)'"
        + (nearest.isEmpty ? "; there is: " + names.joined(separator: ", ") : nearest))
  }
}
