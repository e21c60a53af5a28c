internal import CurlTransports
internal import PipelineKit
internal import Workflows

/// The program `pipeline`: from a command line to an exit status.
public struct Program: Sendable {
  let console: Console
  let table = CommandTable.pipeline
  /// What was linted. A large workflow takes longer to be taken apart than to be judged by most rules,
  /// and the process ends anyway.
  private let linted = Kept<LintedWorkflow>()

  public init(console: Console) {
    self.console = console
  }

  /// The words of a command line after the program's own name; `nil`, with a complaint, if one is
  /// not UTF-8. A file that such a word names could not be opened, nor its bytes sent as they are.
  public func words(
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

  /// Does what `arguments`, without the program's own name, ask for.
  public func main(_ arguments: [String]) async -> ExitStatus {
    if let status = computed(arguments) { return status }
    guard case .run(let invocation)? = try? ArgumentParser(table: table).parse(arguments) else {
      return .usage
    }
    return checked(await perform(invocation))
  }

  /// Whether the system lets the process have the threads that waiting takes; else says what it lacks.
  public func hasThreads() -> Bool {
    guard let problem = Threads.problem else { return true }
    console.complain(problem)
    return false
  }

  /// Does what `arguments` ask for where that waits for nothing, on the thread that asks; `nil`, with
  /// nothing done, where it waits for a network or for a signal.
  public func computed(_ arguments: [String]) -> ExitStatus? {
    do {
      switch try ArgumentParser(table: table).parse(arguments) {
      case .version:
        console.output.write("\(table.name) \(table.version)\n")
        return checked(.success)
      case .help(let command):
        let help = Help(table: table)
        console.output.write(command.map { help.page(of: $0) } ?? help.page)
        return checked(.success)
      case .run(let invocation):
        return compute(invocation).map { checked($0) }
      }
    } catch {
      console.complain(error.message)
      if let command = error.command {
        console.error.write("See '\(table.name) \(command) --help'.\n")
      }
      return .usage
    }
  }

  /// The status, unless what was written has not arrived.
  private func checked(_ status: ExitStatus) -> ExitStatus {
    guard let reason = console.output.failure else { return status }
    console.complain("cannot write to stdout: \(reason)")
    return status == .success ? .failure : status
  }

  private func perform(_ invocation: Invocation) async -> ExitStatus {
    OpenFiles.raiseLimit()
    switch invocation.command.name {
    case Command.run.name: return await runCommand.run(invocation)
    case Command.resume.name:
      return await ResumeCommand(console: console, run: runCommand).run(invocation)
    case Command.sandbox.name:
      return await SandboxCommand(console: console).run(invocation)
    default:
      console.complain("'\(invocation.command.name)' does nothing")
      return .usage
    }
  }

  private var runCommand: RunCommand {
    RunCommand(
      console: console,
      transport: { [table] in
        CurlTransport(
          .init(userAgent: "\(table.name)/\(table.version)", keepsMemory: true))
      }, clock: SystemClock())
  }

  /// What waits for nothing.
  private func compute(_ invocation: Invocation) -> ExitStatus? {
    switch invocation.command.name {
    case Command.lint.name:
      let command = LintCommand(console: console, version: table.version) {
        [console, linted] text in
        let loader = LintedFiles(root: text.source.name, files: console.files)
        return linted.keep(Linter(loader: loader).lint(text)).diagnostics
      }
      return command.run(invocation)
    case Command.explain.name:
      return ExplainCommand(console: console).run(invocation)
    case Command.plan.name:
      return PlanCommand(console: console, clock: SystemClock()).run(invocation)
    case Command.runs.name:
      return RunsCommand(console: console, clock: SystemClock()).run(invocation)
    case Command.state.name:
      return StateCommand(console: console, clock: SystemClock()).run(invocation)
    case Command.graph.name:
      return GraphCommand(console: console).run(invocation)
    case Command.format.name:
      return FormatCommand(console: console).run(invocation)
    case Command.initialize.name:
      return InitCommand(console: console).run(invocation)
    case Command.new.name:
      return NewCommand(console: console).run(invocation)
    case Command.schema.name:
      console.output.write(LanguageSchema.text)
      return .success
    case Command.completions.name:
      let shell = invocation.operands.first.flatMap(Shell.init(rawValue:)) ?? .bash
      let codes = Explanation.all.map(\.code)
      console.output.write(Completions(table: table, codes: codes).script(for: shell))
      return .success
    default:
      return nil
    }
  }
}
