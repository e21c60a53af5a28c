internal import CurlTransports
internal import PipelineKit
internal import PipelineLint
internal import SQLiteJournals

/// The program `pipeline`: from a command line to an exit status.
package struct Program: Sendable {
  let console: Console
  let table: CommandTable
  let clock: any RunClock
  /// Made only when there is something to run.
  let transport: @Sendable () -> any Transport
  /// Begins to load what `transport` needs, while a run that will need it reads its file: after
  /// what its store needs, if it has one.
  let loadAhead: @Sendable (_ hasStore: Bool) -> Void
  /// The linted files. Freeing a large workflow takes longer than most rules take to judge it, and
  /// the process ends anyway.
  let linted = Kept<LintedWorkflow>()
  /// The id of the run that is begun; `nil` for any.
  var runID: String?
  /// The sources of secret inputs, apart from the environment.
  let secrets: SecretLookup

  package init(console: Console) {
    self.init(
      console: console, clock: SystemClock(),
      transport: {
        let table = CommandTable.pipeline
        return CurlTransport(
          .init(userAgent: "\(table.name)/\(table.version)", keepsMemory: true))
      },
      loadAhead: { hasStore in
        CurlTransport.loadAhead(
          keepingMemory: true, after: { if hasStore { SQLiteJournal.loadAhead() } })
      })
  }

  init(
    console: Console, clock: any RunClock, transport: @escaping @Sendable () -> any Transport,
    loadAhead: @escaping @Sendable (_ hasStore: Bool) -> Void = { _ in }
  ) {
    self.console = console
    table = .pipeline
    secrets = SecretLookup(environment: console.environment)
    self.clock = clock
    self.transport = transport
    self.loadAhead = loadAhead
  }

  /// The parts of the process that every run gets.
  var runOptions: RunOptions {
    var options = RunOptions()
    options.variables = console.environment
    options.unreadableVariables = console.unreadableVariables
    options.clock = clock
    return options
  }

  /// The words of a command line after the program's own name; `nil`, with a complaint, if one is
  /// not UTF-8. A file named by a word like this could not be opened, nor could its bytes be sent
  /// unchanged.
  package func words(
    of pointers: UnsafePointer<UnsafeMutablePointer<CChar>?>
  ) -> [String]? {
    var words: [String] = []
    var number = 0
    while let pointer = pointers[number] {
      guard let word = String(validatingCString: pointer) else {
        console.complain("argument \(number) is not UTF-8")
        return nil
      }
      words.append(word)
      number += 1
    }
    return Array(words.dropFirst())
  }

  /// Whether the system lets the process have the threads that waiting takes. If not, the message
  /// names what the system lacks.
  package func hasThreads() -> Bool {
    guard let problem = Threads.problem else { return true }
    console.complain(problem)
    return false
  }

  /// How far a command line has come.
  package enum Progress: Sendable {
    /// It is done, and the process ends with this status.
    case ended(ExitStatus)
    /// It waits for a network, a clock or a signal. Nothing has been done yet.
    case waiting(@Sendable () async -> ExitStatus)
  }

  /// Parses `arguments`, without the program's own name, and does all of it that waits for nothing.
  /// That is done on the thread that calls.
  package func begin(_ arguments: [String]) -> Progress {
    let invocation: Invocation
    do {
      switch try ArgumentParser(table: table).parse(arguments) {
      case .version:
        console.output.write("\(table.name) \(table.version)\n")
        return .ended(checked(.success))
      case .help(let command):
        showHelp(of: command)
        return .ended(checked(.success))
      case .nothing:
        // Not a success: a script that lost its arguments has to notice.
        console.error.write(Help(table: table).firstSteps)
        return .ended(.usage)
      case .run(let parsed): invocation = parsed
      }
    } catch {
      console.complain(error.message)
      if let command = error.command {
        console.error.write("See '\(table.name) \(command) --help'.\n")
      }
      return .ended(.usage)
    }
    switch invocation.action {
    case .computed(let command): return .ended(checked(command.run(in: self)))
    case .waiting(let command):
      return .waiting {
        OpenFiles.raiseLimit()
        return checked(await command.run(in: self))
      }
    }
  }

  /// Does all that `arguments`, without the program's own name, ask for.
  package func main(_ arguments: [String]) async -> ExitStatus {
    switch begin(arguments) {
    case .ended(let status): status
    case .waiting(let rest): await rest()
    }
  }

  /// Prints the help of a command, or of the whole program.
  func showHelp(of command: Command?) {
    let help = Help(table: table)
    console.output.write(command.map { help.page(of: $0) } ?? help.page)
  }

  /// The status, unless what was written has not arrived.
  private func checked(_ status: ExitStatus) -> ExitStatus {
    guard let reason = console.output.failure else { return status }
    console.complain("cannot write to stdout: \(reason)")
    return status == .success ? .failure : status
  }
}
