import Testing

@testable import PipelineCommand

struct ArgumentParserTests {
  private let parser = ArgumentParser(table: .pipeline)

  private func invocation(_ arguments: [String]) throws -> Invocation {
    guard case .run(let invocation) = try parser.parse(arguments) else {
      throw UsageError(message: "not an invocation")
    }
    return invocation
  }

  /// What a command reads from its line.
  private struct Line: ComputedCommand {
    let file: String
    let names: [String]
    let output: String?
    let sets: [String]
    let count: UInt8?
    let format: OutputText.Format?
    let isQuiet: Bool
    let isVerbose: Bool

    static let page = CommandPage(name: "run", summary: "Test")

    init(_ arguments: inout Arguments) {
      file = arguments.operand("FILE", .any, help: "")
      names = arguments.operands("NAME", .any, help: "")
      output = arguments.value("output", letter: "o", "FILE", .any, help: "")
      sets = arguments.values("set", "NAME=VALUE", .assignment, help: "")
      count = arguments.number("count", letter: "c", in: 1...UInt8.max, help: "")
      format = arguments.choice("format", "FORMAT", help: "")
      isQuiet = arguments.flag("quiet", letter: "q", help: "")
      isVerbose = arguments.flag("verbose", letter: "v", help: "")
    }

    func run(in program: Program) -> PipelineCommand.ExitStatus { .success }
  }

  private func line(_ words: [String]) throws -> Line {
    var table = CommandTable.pipeline
    table.commands = [Command(Line.self)]
    guard case .run(let invocation) = try ArgumentParser(table: table).parse(["run"] + words),
      case .computed(let command as Line) = invocation.action
    else { throw UsageError(message: "no line") }
    return command
  }

  private func message(_ line: String) -> String? {
    do {
      _ = try parser.parse(line.split(separator: " ").map(String.init))
      return nil
    } catch {
      return error.message
    }
  }

  @Test(arguments: [
    ["a.json", "--output", "o", "-c", "4"], ["--output=o", "-c4", "a.json"],
    ["-o", "o", "--count=4", "--", "a.json"], ["-oo", "-c=4", "a.json"],
  ])
  func optionsStandAnywhereAndInAnyForm(arguments: [String]) throws {
    let line = try line(arguments)
    #expect(line.file == "a.json" && line.names.isEmpty)
    #expect(line.output == "o")
    #expect(line.count == 4)
  }

  @Test(arguments: [
    "\u{301}", "\u{FF9F}", "\u{200D}", "\u{FE0F}", "\u{20DD}", "\u{E9}", "e\u{301}", "\u{FF1D}",
  ])
  func aValueMayBeginWithAnySign(mark: String) throws {
    for arguments in [["--output=\(mark)o"], ["-o\(mark)o"], ["-o=\(mark)o"], ["-o", "\(mark)o"]] {
      let line = try line(["f", "--set", "s=\(mark)v", "--set=t=\(mark)"] + arguments)
      #expect(line.output.map { Array($0.utf8) } == Array("\(mark)o".utf8))
      #expect(
        line.sets.map { Array($0.utf8) } == ["s=\(mark)v", "t=\(mark)"].map { Array($0.utf8) })
    }
    #expect(throws: UsageError.self) { try invocation(["run", "f", "--outpu\u{1FEF}=x"]) }
  }

  @Test func repeatableOptionsKeepTheirOrder() throws {
    let line = try line(["f", "--set", "a=1", "--set=b==", "--set", "c="])
    #expect(line.sets == ["a=1", "b==", "c="])
  }

  @Test func lettersOfFlagsMayBeJoined() throws {
    let line = try line(["-vo", "out", "f"])
    #expect(line.isVerbose && !line.isQuiet)
    #expect(line.output == "out")
  }

  @Test func afterTwoDashesEveryWordIsAnOperand() throws {
    #expect(try invocation(["lint", "--", "--strict", "-"]).operands == ["--strict", "-"])
    #expect(try invocation(["lint", "-"]).operands == ["-"])
  }

  @Test func operandsAndChoicesAreReadByTheirPlaceAndType() throws {
    let given = try line(["--format=ndjson", "a", "b", "c", "-c", "255"])
    #expect(given.file == "a" && given.names == ["b", "c"])
    #expect(given.format == .ndjson && given.count == 255)
    let bare = try line(["a"])
    #expect(bare.names.isEmpty && bare.sets.isEmpty)
    #expect(bare.output == nil && bare.count == nil && bare.format == nil)
    let problem = UsageError(
      message: "--count takes a number from 1 to 255, not '256'", command: "run")
    #expect(throws: problem) { try line(["a", "--count", "256"]) }
  }

  @Test(arguments: [
    ("rnu", "unknown command 'rnu'; did you mean 'run'?"),
    ("frobnicate", "unknown command 'frobnicate'"),
    ("w/u.json", "unknown command 'w/u.json'; did you mean 'pipeline run w/u.json'?"),
    ("--vresion", "unknown option '--vresion'; did you mean '--version'?"),
    ("run f --ouptut x", "unknown option '--ouptut'; did you mean '--output'?"),
    ("run f -x", "unknown option '-x'"),
    ("run f -qvx", "unknown option '-x' in '-qvx'"),
    ("run f -ouput=x -x", "unknown option '-x'"),
    ("run f -output x", "unknown option '-output'; did you mean '--output'?"),
    ("lint -strict", "unknown option '-strict'; did you mean '--strict'?"),
    ("resume --output-dir x", "unknown option '--output-dir'; only 'run' and 'part' have it"),
    ("plan f --replay x", "unknown option '--replay'; only 'run' has it"),
    ("run f --env x", "unknown option '--env'; did you mean '--environment'?"),
    ("run f --out-dir x", "unknown option '--out-dir'; did you mean '--output-dir'?"),
    ("run f --out x", "unknown option '--out'; did you mean '--output'?"),
    ("run f --var a=1", "unknown option '--var'; did you mean '--set'?"),
    ("run f --parallel 4", "unknown option '--parallel'; did you mean '--concurrency'?"),
    ("run f --silent", "unknown option '--silent'; did you mean '--quiet'?"),
    ("lint --json", "unknown option '--json'; write '--format json'"),
    ("runs --format json", "unknown option '--format'; write '--json'"),
    ("lint --no-color", "unknown option '--no-color'; write '--color never'"),
    (
      "run f --dry-run",
      "unknown option '--dry-run'; 'pipeline plan' shows what would run, and sends nothing"
    ),
    ("resume --dry-run", "unknown option '--dry-run'; did you mean '--plan'?"),
    (
      "try -X POST", "unknown option '-X'; write the method before the URL: 'POST https://…'"
    ),
    ("try u --data-raw x", "unknown option '--data-raw'; did you mean '--data'?"),
    ("sandbox --host x", "unknown option '--host'"),
    ("run", "FILE is missing: pipeline run FILE [OPTION]…"),
    ("run a b", "'b' is one too many: pipeline run FILE [OPTION]…"),
    ("run f --output", "--output needs a value: --output FILE"),
    ("run f --quiet=yes", "--quiet takes no value"),
    ("run f --set a", "--set takes NAME=VALUE, not 'a'"),
    ("run f --set =a", "--set takes NAME=VALUE, not '=a'"),
    ("run f -c 0", "--concurrency takes a number from 1 to 10000, not '0'"),
    ("sandbox --port 65536", "--port takes a number from 0 to 65535, not '65536'"),
    (
      "sandbox --port 99999999999999999999",
      "--port takes a number from 0 to 65535, not '99999999999999999999'"
    ),
    (
      "run f --format ndjsno",
      "--format takes json, ndjson, table or csv, not 'ndjsno'; did you mean 'ndjson'?"
    ),
    ("completions tcsh", "SHELL takes bash, zsh or fish, not 'tcsh'"),
    ("run f -o a -o b", "--output is given twice"),
  ])
  func whatIsWrongIsNamed(line: String, expected: String) {
    #expect(message(line) == expected)
  }

  @Test func helpOutranksWhatIsMissing() throws {
    for line in [["run", "-h"], ["run", "--help"], ["run", "f", "-qh"]] {
      guard case .help(let command?) = try parser.parse(line) else {
        Issue.record("no help: \(line)")
        continue
      }
      #expect(command.name == "run")
    }
  }

  @Test func everyOptionOfTheTableReachesItsCommand() throws {
    for command in CommandTable.pipeline.commands {
      for option in command.options where option.name != "help" {
        let value =
          switch option.argument?.values {
          case .assignment: "a=b"
          case .number(let range): String(range.upperBound)
          case .oneOf(let words): words.last ?? ""
          default: "x"
          }
        let operands = command.operands.filter { $0.arity == .one }.map { operand in
          if case .oneOf(let words) = operand.values { words[0] } else { "x" }
        }
        let words = ["--" + option.name] + (option.argument == nil ? [] : [value])
        let bare = try invocation([command.name] + operands)
        let given = try invocation([command.name] + words + operands)
        #expect(given.has(option) && !bare.has(option))
        // The command took the value: it differs from one that was made without the option.
        #expect(
          String(reflecting: given.action) != String(reflecting: bare.action),
          "\(command.name) ignores --\(option.name)")
      }
    }
  }

  @Test func namesAndLettersAreUsedOnce() {
    for command in CommandTable.pipeline.commands {
      #expect(Set(command.options.map(\.name)).count == command.options.count)
      let letters = command.options.compactMap(\.letter)
      #expect(Set(letters).count == letters.count)
    }
  }
}
