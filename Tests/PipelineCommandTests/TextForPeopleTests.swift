import PipelineSourceText
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// Texts of files, servers and arguments move no cursor, reverse no line, and command no CI system.
@Suite struct TextForPeopleTests {
  private static let hostile =
    #"n\u001b[31m\u001b]0;t\u0007\u202e\u009b2J\u200f\n::error::x\n##[error]y"#

  /// A name with what a terminal obeys, as an argument.
  private static let word =
    "n\u{1B}[31m\u{1B}]0;t\u{07}\u{202E}\u{9B}2J\u{200F}\n::error::x\n##[error]y"

  private static let workflow = """
    {"name": "\(hostile)", "description": "\(hostile)",
     "inputs": {"d": {"default": "\(hostile)"}},
     "environments": {"\(hostile)": {"d": "1"}},
     "steps": [{"id": "s", "values": {"a": "{{inputs.d}}", "b": "\(hostile)"}},
               {"id": "bad", "values": {"a": 1},
                "expect": {"where": [{"that": "@.a == 2", "message": "\(hostile)"}]},
                "onError": "continue"}],
     "outputs": {"o": "{{s.b}}", "\(hostile)": 1}}
    """

  private static let commands: [[String]] = [
    ["plan", "w.json"], ["graph", "w.json"], ["graph", "w.json", "--format", "mermaid"],
    ["graph", "w.json", "--format", "dot"], ["graph", "w.json", "--format", "svg"],
    ["graph", "w.json", "--format", "html"], ["lint", "w.json"], ["lint", "bad.json"],
    ["lint", "bad.json", "--format", "github"], ["lint", word],
    ["run", "w.json", "--no-store"], ["run", "w.json", "--no-store", "--format", "table"],
    ["run", "w.json", "--no-store", "--report", "github", "-q"],
    ["run", "w.json", "--no-store", "--set", word], ["run", "w.json", "--only", word],
    ["run", "w.json", "--environment", word], ["run", word], [word], ["run", "--" + word],
    ["run", "w.json", "--no-store", "--replay", "r.har"], ["run", "w.json", "-o", "no/" + word],
    ["resume", word], ["runs", "show", word, "--store", "."], ["state", "show", "w.json", word],
    ["explain", word], ["test", word], ["part", "run", "w.json", "--step", word],
    ["try", word], ["new", "--curl", word], ["export", "make", word], ["report", word, "tap"],
    ["format", "--check", word],
  ]

  @Test(arguments: commands) func noCommandPrintsWhatATerminalObeys(
    _ command: [String]
  ) async throws {
    let folder = TemporaryFolder()
    folder.write(Self.workflow, to: "w.json")
    folder.write(
      #"{"name": "\#(Self.hostile)", "steps": [{"id": "\#(Self.hostile)", "x\#(Self.hostile)": 1}]}"#,
      to: "bad.json")
    folder.write(
      #"{"log": {"version": "1.2", "entries": [{"_pipeline": {"step": "\#(Self.hostile)"}, "request": {"method": "GET", "url": "http://a.test/\#(Self.hostile)"}, "response": {"status": 200}}]}}"#,
      to: "r.har")
    let arguments = command.map {
      $0.hasSuffix(".json") || $0.hasSuffix(".har") ? folder.path + "/" + $0 : $0
    }
    let (output, error) = (
      CapturedStream(terminal: TerminalSize(width: 70, height: 20)), CapturedStream()
    )
    let console = Console(
      output: output, error: error,
      environment: [
        "GITHUB_ACTIONS": "true", "TERM": "dumb", "PIPELINE_STORE": folder.path + "/st",
      ])
    _ = await Program(console: console).main(arguments)
    let text = output.text + error.text
    #expect(!text.isEmpty)
    for scalar in text.unicodeScalars where scalar != "\n" {
      #expect(Cells.printable(String(scalar)).unicodeScalars.first == scalar, "\(text)")
    }
    let obeyed = text.split(separator: "\n").filter { line in
      let line = line.drop { $0.isWhitespace }
      // A report is a command itself, and a drawing is data.
      let isData = ["github", "mermaid", "dot", "svg", "html"].contains { command.contains($0) }
      return line.hasPrefix("::") && !command.contains("github") || line.contains("##[") && !isData
    }
    #expect(obeyed.isEmpty, "\(text)")
    if command.contains("github") {
      #expect(text.split(separator: "\n").allSatisfy { !$0.hasPrefix("::error::x") })
    }
  }

  @Test func aLineIsACommandOnlyForACISystem() {
    let text = "::error::x\n  ::add-mask::y\n\u{A0}::warning::z\na ::b\n##[group]c ##vso[d]\n"
    for (variable, isGuarded) in [
      ("GITHUB_ACTIONS", true), ("TF_BUILD", true), ("TEAMCITY_VERSION", true), ("CI", false),
    ] {
      let stream = CapturedStream()
      TextStream(stream, environment: [variable: "1"]).write(inked: text)
      #expect(
        stream.text
          == (isGuarded
            ? ": :error::x\n  : :add-mask::y\n\u{A0}: :warning::z\na ::b\n# #[group]c # #vso[d]\n"
            : text))
    }
  }

  @Test func onlyColoursOfOursStay() {
    let stream = CapturedStream()
    let text = TextStream(stream, environment: [:])
    text.write("\u{1B}[31mred\u{1B}[0m\n")
    text.write(inked: "\u{1B}[1;31mred\u{1B}[0m \u{1B}[2J\u{1B}]0;t\u{07} \u{1B}[31\n")
    text.write(line: "a\nb")
    #expect(
      stream.text
        == "␛[31mred␛[0m\n\u{1B}[1;31mred\u{1B}[0m ␛[2J␛]0;t␇ ␛[31\na␊b\n")
  }

  @Test func jsonOnATerminalMeansTheSame() {
    let json = "{\"a\": \"\u{9B}\u{202E}é##[error] ###\u{7F}\"}\n"
    let file = CapturedStream()
    JSONStream(file, environment: [:]).write(json)
    #expect(file.text == json)
    let log = CapturedStream()
    JSONStream(log, environment: ["GITHUB_ACTIONS": "true"]).write(json)
    #expect(
      log.text == "{\"a\": \"\\u009b\\u202eé#\\u0023[error] #\\u0023\\u0023\\u007f\"}\n")
    let terminal = CapturedStream(terminal: TerminalSize(width: 80, height: 24))
    JSONStream(terminal, environment: [:]).write(json)
    #expect(terminal.text == "{\"a\": \"\\u009b\\u202eé##[error] ###\\u007f\"}\n")
  }
}
