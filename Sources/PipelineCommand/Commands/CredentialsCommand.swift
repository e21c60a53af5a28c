internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineSourceText

/// `pipeline credentials`: the logins that are kept.
struct CredentialsCommand: WaitingCommand {
  private let action: Action
  private let words: [String]
  private let credential: String?
  private let inputs: InputOptions
  private let environment: String?
  private let asJSON: Bool
  private let store: StoreOptions
  private let color: ColorChoice

  private enum Action: String, WordChoice {
    case list, renew, remove
  }

  static let page = CommandPage(
    name: "credentials",
    summary: "List, renew or remove the logins that are kept",
    discussion: [
      "list shows each login with its server, its client and how long it is good, and never a token."
        + " renew fetches new tokens for the logins of a workflow, whose file says how the client"
        + " proves who it is. remove forgets logins by their names; the server still knows them."
    ],
    examples: [
      Example(line: "pipeline credentials", meaning: "List the logins"),
      Example(
        line: "pipeline credentials renew workflows/login.json",
        meaning: "Keep a rarely used login alive"),
      Example(line: "pipeline credentials remove reader", meaning: "Forget a login"),
    ])

  init(_ arguments: inout Arguments) {
    action =
      arguments.optionalChoiceOperand("ACTION", help: "list, renew or remove; by default, list")
      ?? .list
    words = arguments.operands(
      "FILE|NAME", .file(ending: ".json"),
      help: "The workflow whose logins are renewed, or the names of those to remove")
    credential = arguments.value(
      "credential", letter: "c", "NAME", .any, help: "Renew only the login of this name")
    inputs = InputOptions(&arguments, hasAnswers: false)
    environment = arguments.environment(help: "Use the inputs of this environment of the workflow")
    asJSON = arguments.flag("json", help: "Print the list as JSON")
    store = StoreOptions(needed: &arguments)
    color = arguments.color()
  }

  func run(in program: Program) async -> ExitStatus {
    let console = program.console
    do throws(UsageError) {
      let kept = try KeptLogins.needed(store, environment: console.environment)
      guard isWhole else {
        throw UsageError(
          message: "credentials takes 'renew FILE', 'remove NAME…', 'list' or nothing")
      }
      do throws(LoginProblem) {
        switch action {
        case .list: try list(kept, program)
        case .remove: try await remove(kept, console)
        case .renew: return try await renew(kept, program)
        }
        return .success
      } catch {
        console.complain(error.message)
        return .failure
      }
    } catch {
      console.complain(error.message)
      return .usage
    }
  }

  /// Whether the action has the words that it takes.
  private var isWhole: Bool {
    switch action {
    case .list: words.isEmpty
    case .remove: !words.isEmpty
    case .renew: words.count == 1
    }
  }

  // MARK: The list

  private func list(_ store: KeptLogins, _ program: Program) throws(LoginProblem) {
    let console = program.console
    let logins = try store.all()
    let now = program.clock.wallTime
    if asJSON {
      var writer = JSONWriter(style: .pretty)
      writer.beginArray()
      for login in logins { login.writeFacts(to: &writer, at: now) }
      writer.endArray()
      console.json.write(String(decoding: writer.bytes, as: UTF8.self) + "\n")
      return
    }
    guard !logins.isEmpty else {
      console.error.write(line: "no login is kept; 'pipeline login FILE' makes one")
      return
    }
    let head = ["name", "server", "client", "scopes", "from", "state", "changed"]
    let rows = logins.map { login in
      [
        login.id.name, login.tokenURL, login.clientID, login.scopes.joined(separator: " "),
        login.origin, login.state(at: now), Timestamp(secondsSince1970: login.changed).text,
      ]
    }
    console.output.write(TextTable(rows: [head] + rows).text)
  }

  // MARK: Changes

  private func remove(_ store: KeptLogins, _ console: Console) async throws(LoginProblem) {
    let all = try store.all()
    let names = all.map(\.id.name)
    // All of them, or none: a mistyped name is found before anything is removed.
    for word in words where !names.contains(bytes: word) {
      throw LoginProblem("no login '\(word)' is kept" + Spelling.didYouMean(word, among: names))
    }
    for login in all where words.contains(bytes: login.id.name) {
      do {
        // A run that renews it would keep it again.
        let taken = try await store.takeHere(login.id)
        defer { taken.giveBack() }
        try taken.remove()
      } catch let problem as LoginProblem {
        throw problem
      } catch {
        throw LoginProblem("the login '\(login.id.name)' was not removed")
      }
      console.error.write(
        line: "removed '\(login.id.name)'; it is still known at \(login.tokenURL), where it can be"
          + " revoked")
    }
  }

  private func renew(_ kept: KeptLogins, _ program: Program) async throws(LoginProblem)
    -> ExitStatus
  {
    let console = program.console
    guard
      let source = LoginSource(
        words[0], inputs, environment: environment, color: color, kept, store, program: program)
    else { return .invalid }
    defer { source.stop() }
    guard let found = await source.logins() else { return .invalid }
    let chosen: [WantedLogin]
    do throws(UsageError) {
      chosen = if let credential { [try found.named(credential)] } else { found }
    } catch {
      throw LoginProblem(error.message)
    }
    for login in chosen {
      try await login.renew(in: kept)
      console.output.write(line: "renewed: '\(login.name)'")
    }
    return .success
  }
}

extension Login {
  /// What it began with.
  fileprivate var origin: String { id.seed == nil ? "a person" : "an input" }

  /// What becomes of it in the next run.
  fileprivate func state(at now: Double) -> String {
    if isRefused { return "refused: log in again" }
    if refreshToken != nil { return "renews itself" }
    guard let access else { return "over: log in again" }
    guard let expires = access.expires else { return "good until it is refused" }
    return expires > now
      ? "good until " + Timestamp(secondsSince1970: expires).text : "over: log in again"
  }

  /// Everything but tokens.
  fileprivate func writeFacts(to writer: inout JSONWriter, at now: Double) {
    writer.beginObject()
    writer.member("name", id.name)
    writer.member("tokenURL", tokenURL)
    writer.member("clientId", clientID)
    writer.name("scopes")
    writer.beginArray()
    for scope in scopes { writer.string(scope) }
    writer.endArray()
    writer.member("byPerson", id.seed == nil)
    writer.member("renewable", refreshToken != nil && !isRefused)
    writer.member("refused", isRefused)
    if let expires = access?.expires {
      writer.member("accessUntil", Timestamp(secondsSince1970: expires).text)
    }
    writer.member("state", state(at: now))
    writer.member("changed", Timestamp(secondsSince1970: changed).text)
    writer.endObject()
  }
}
