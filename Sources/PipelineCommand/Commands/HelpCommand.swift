internal import PipelineLanguage

/// `pipeline help`: the help of a command or of the program, the language, the manual pages.
struct HelpCommand: ComputedCommand {
  private let subject: String?
  private let manual: String?

  static let page = CommandPage(
    name: "help",
    summary: "Show the help of a command, or the whole language",
    discussion: [
      "'language' is the whole language on one page, with examples, for people and for programs"
        + " that write workflows. 'crib' is the same on a card."
    ],
    examples: [
      Example(line: "pipeline help run", meaning: "The same as pipeline run --help"),
      Example(line: "pipeline help language | less", meaning: "Read about every key and form"),
      Example(
        line: "sudo pipeline help --man /usr/local/share/man/man1",
        meaning: "Install the manual pages, for man pipeline-run"),
    ])

  /// The pages that are not of a command.
  static let pages = ["language", "crib"]

  init(_ arguments: inout Arguments) {
    subject = arguments.optionalOperand(
      "SUBJECT", .command, help: "A command's name, 'language' or 'crib'")
    manual = arguments.value(
      "man", "DIR", .folder, help: "Write the manual pages of all commands into this folder")
  }

  func run(in program: Program) -> ExitStatus {
    if let manual { return writeManual(to: manual, program) }
    switch subject {
    case "language": program.console.output.write(LanguageGuide.page)
    case "crib": program.console.output.write(LanguageGuide.crib)
    default:
      do throws(UsageError) {
        var shown: Command?
        if let subject { shown = try program.table.command(named: subject, or: Self.pages) }
        program.showHelp(of: shown)
      } catch {
        program.console.complain(error.message)
        return .usage
      }
    }
    return .success
  }

  /// One page a command, and one of the program. A page that is there is replaced.
  private func writeManual(to folder: String, _ program: Program) -> ExitStatus {
    guard subject == nil else {
      program.console.complain(
        "--man writes the pages of all commands; leave out '\(subject ?? "")'")
      return .usage
    }
    let manual = Manual(table: program.table)
    let pages = [manual.page] + program.table.commands.map { manual.page(of: $0) }
    do throws(PathProblem) {
      for page in pages {
        try AtomicFile(path: folder + "/" + page.name).write(Array(page.text.utf8))
      }
    } catch {
      program.console.complain("cannot write '\(error.path)': \(error.reason)")
      return .failure
    }
    program.console.error.write(line: "Wrote \(pages.count.counting("page")) to \(folder)")
    return .success
  }
}
