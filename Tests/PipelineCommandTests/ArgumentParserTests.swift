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

  private func message(_ line: String) -> String? {
    do {
      _ = try parser.parse(line.split(separator: " ").map(String.init))
      return nil
    } catch {
      return error.message
    }
  }

  @Test(arguments: [
    ["run", "a.json", "--output", "o", "-c", "4"], ["run", "--output=o", "-c4", "a.json"],
    ["run", "-o", "o", "--concurrency=4", "--", "a.json"], ["run", "-oo", "-c=4", "a.json"],
  ])
  func optionsStandAnywhereAndInAnyForm(arguments: [String]) throws {
    let invocation = try invocation(arguments)
    #expect(invocation.operands == ["a.json"])
    #expect(invocation.value("output") == "o")
    #expect(invocation.number("concurrency") == 4)
  }

  @Test(arguments: [
    "\u{301}", "\u{FF9F}", "\u{200D}", "\u{FE0F}", "\u{20DD}", "\u{E9}", "e\u{301}", "\u{FF1D}",
  ])
  func aValueMayBeginWithAnySign(mark: String) throws {
    for arguments in [["--output=\(mark)o"], ["-o\(mark)o"], ["-o=\(mark)o"], ["-o", "\(mark)o"]] {
      let value = try invocation(
        ["run", "f", "--set", "s=\(mark)v", "--set=t=\(mark)"] + arguments)
      #expect(value.value("output").map { Array($0.utf8) } == Array("\(mark)o".utf8))
      #expect(
        value.values("set").map { Array($0.utf8) }
          == ["s=\(mark)v", "t=\(mark)"].map { Array($0.utf8) })
    }
    #expect(throws: UsageError.self) { try invocation(["run", "f", "--outpu\u{1FEF}=x"]) }
  }

  @Test func repeatableOptionsKeepTheirOrder() throws {
    let invocation = try invocation(["run", "f", "--set", "a=1", "--set=b==", "--set", "c="])
    #expect(invocation.values("set") == ["a=1", "b==", "c="])
  }

  @Test func lettersOfFlagsMayBeJoined() throws {
    let invocation = try invocation(["run", "-vo", "out", "f"])
    #expect(invocation.has("verbose") && !invocation.has("quiet"))
    #expect(invocation.value("output") == "out")
  }

  @Test func afterTwoDashesEveryWordIsAnOperand() throws {
    #expect(try invocation(["lint", "--", "--strict", "-"]).operands == ["--strict", "-"])
    #expect(try invocation(["lint", "-"]).operands == ["-"])
  }

  @Test(arguments: [
    ("", "a command is missing; see 'pipeline --help'"),
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
      "run f --format ndjsno", "--format takes json or ndjson, not 'ndjsno'; did you mean 'ndjson'?"
    ),
    ("completions tcsh", "SHELL takes bash, zsh or fish, not 'tcsh'"),
    ("help rnu", "unknown command 'rnu'; did you mean 'run'?"),
    ("run f -o a -o b", "--output is given twice"),
  ])
  func whatIsWrongIsNamed(line: String, expected: String) {
    #expect(message(line) == expected)
  }

  @Test func helpOutranksWhatIsMissing() throws {
    for line in [["run", "-h"], ["run", "--help"], ["help", "run"]] {
      guard case .help(let command?) = try parser.parse(line) else {
        Issue.record("no help: \(line)")
        continue
      }
      #expect(command.name == "run")
    }
  }

  @Test func everyOptionOfTheTableIsParsed() throws {
    for command in CommandTable.pipeline.commands {
      for option in command.options where option.name != "help" {
        let value =
          switch option.argument?.values {
          case .assignment: "a=b"
          case .number(let range): String(range.upperBound)
          case .oneOf(let words): words[0]
          default: "x"
          }
        let operands = command.operands.isEmpty ? [] : ["x"]
        let words = ["--" + option.name] + (option.argument == nil ? [] : [value])
        let invocation = try invocation([command.name] + words + operands)
        #expect(invocation.has(option.name))
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
