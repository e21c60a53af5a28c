import PipelineTestSupport
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct HelpTests {
  @Test func theProgramsPageIsWhatIsRecorded() async {
    let result = await pipeline(["--help"])
    #expect(result.status == .success)
    expectSnapshot(result.output, "help.txt")
    #expect(await pipeline(["-h"]).output == result.output)
    #expect(await pipeline(["help"]).output == result.output)
  }

  @Test(arguments: CommandTable.pipeline.commands.map(\.name))
  func eachCommandsPageIsWhatIsRecorded(command: String) async {
    let result = await pipeline([command, "--help"])
    #expect(result.status == .success && result.error.isEmpty)
    expectSnapshot(result.output, "help-\(command).txt")
    for line in result.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test func helpOfACommandIsThatCommandsPage() async {
    #expect(await pipeline(["help", "run"]).output == pipeline(["run", "--help"]).output)
    let unknown = await pipeline(["help", "rnu"])
    #expect(unknown.status == .usage && unknown.output.isEmpty)
    #expect(unknown.error == "pipeline: unknown command 'rnu'; did you mean 'run'?\n")
  }

  @Test func withoutACommandTheFirstStepsAreShown() async {
    let result = await pipeline([])
    #expect(result.status == .usage && result.output.isEmpty)
    expectSnapshot(result.error, "first-steps.txt")
    for step in CommandTable.pipeline.firstSteps {
      let word = step.line.split(separator: " ")[1]
      #expect(CommandTable.pipeline.commands.contains { $0.name == word }, "\(step.line)")
    }
  }

  @Test func theVersionIsPrinted() async {
    #expect(await pipeline(["--version"]).output == "pipeline 0.2.0\n")
  }

  @Test func wrongUsageEndsWithSixtyFour() async {
    let result = await pipeline(["run"])
    #expect(result.status == .usage)
    #expect(result.output.isEmpty)
    #expect(
      result.error == """
        pipeline: FILE is missing: pipeline run FILE [OPTION]…
        See 'pipeline run --help'.

        """)
  }
}

struct CompletionsTests {
  private let completions = Completions(
    table: .pipeline, topics: ["unknown-key", "unknown-reference"])

  @Test(arguments: Shell.allCases)
  func theScriptIsWhatIsRecorded(shell: Shell) {
    expectSnapshot(completions.script(for: shell), "completions.\(shell.rawValue)")
  }

  @Test func theProgramPrintsTheScript() async {
    let result = await pipeline(["completions", "bash"])
    #expect(result.status == .success)
    #expect(result.output.contains("unknown-reference"))
  }

  /// Each shell checks the script itself, where it is installed.
  @Test(arguments: Shell.allCases)
  func theShellTakesTheScript(shell: Shell) throws {
    let script = completions.script(for: shell)
    let folder = TemporaryFolder()
    let path = folder.write(script, to: "completions." + shell.rawValue)
    let check =
      shell == .fish ? "fish --no-execute \(path)" : "\(shell.rawValue) -n \(path)"
    #expect(
      system("! command -v \(shell.rawValue) >/dev/null || \(check)") == 0)
  }

  @Test(arguments: [
    ("pipeline r", "run resume runs report"), ("pipeline run --eve", "--events"),
    ("pipeline run f --format nd", "ndjson"),
    ("pipeline run f --format = nd", "ndjson"), ("pipeline completions z", "zsh"),
    ("pipeline help lin", "lint"), ("pipeline lint --color al", "always"),
    ("pipeline explain unknown-r", "unknown-reference"),
  ])
  func bashOffersWhatTheTableHas(line: String, expected: String) throws {
    let words = line.split(separator: " ").map { "'\($0)'" }
    let script =
      completions.script(for: .bash)
        + """

        COMP_WORDS=(\(words.joined(separator: " "))); COMP_CWORD=\(words.count - 1); _pipeline
        echo "${COMPREPLY[@]}"
        """
    let folder = TemporaryFolder()
    let path = folder.write(script, to: "completions.sh")
    let process = try #require(popen("bash \(path)", "r"))
    var buffer = [CChar](repeating: 0, count: 1024)
    let text = fgets(&buffer, 1024, process).map { String(cString: $0) }
    pclose(process)
    #expect(text == expected + "\n")
  }
}
