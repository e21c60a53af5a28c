import Foundation

/// A program to measure with, not to ship: `swift run -c release pipeline-bench json`.
let usage = """
  usage: pipeline-bench json [--rounds N]
         pipeline-bench yaml [--rounds N]
         pipeline-bench formats [--rounds N]
         pipeline-bench lint [--rounds N] [--steps N]
         pipeline-bench api PIPELINE [--rounds N]
         pipeline-bench edit PIPELINE [--steps N] [--edits N]
         pipeline-bench run [--rounds N] [--cases A,C,…] [--json] [--pipeline PATH] [--quick]
         pipeline-bench workflow N

    json   parsing and extracting, beside Foundation and simdjson, as ratios of medians
    yaml   parsing a description of an API in YAML, beside the same one in JSON
    formats   reading CSV, NDJSON and XML, beside Python's csv, orjson and lxml; memory in pieces
    lint   linting generated workflows of 1,000, 10,000 and 100,000 steps
    api    'pipeline lint --against' with descriptions of 13 MB, in JSON and in YAML
    edit   how long an editor waits for 'pipeline lsp' in a file of 1,000 steps
    workflow   prints such a workflow
    run    what a run costs, beside curl, wrk and URLSession; --quick: smaller G and H
  """

let arguments = Array(CommandLine.arguments.dropFirst())

func refuse(_ problem: String) -> Never {
  FileHandle.standardError.write(Data("pipeline-bench: \(problem)\n\(usage)\n".utf8))
  exit(64)
}

/// The numbers of the options that are allowed, each at least 1.
func options(_ allowed: String..., after words: Int = 1) -> [String: Int] {
  var rest = arguments.dropFirst(words)
  var numbers: [String: Int] = [:]
  while let name = rest.popFirst() {
    guard allowed.contains(name) else { refuse("'\(name)' is no option here") }
    guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else {
      refuse("\(name) needs a number from 1")
    }
    numbers[name] = number
  }
  return numbers
}

switch arguments.first {
case "json":
  JSONBenchmark(rounds: max(options("--rounds")["--rounds"] ?? 15, 9)).run()
case "yaml":
  YAMLBenchmark(rounds: options("--rounds")["--rounds"] ?? 9).run()
case "formats":
  FormatBenchmark(rounds: options("--rounds")["--rounds"] ?? 5).run()
case "lint":
  let numbers = options("--rounds", "--steps")
  let counts = numbers["--steps"].map { [$0] } ?? [1000, 10_000, 100_000]
  LintBenchmark(rounds: numbers["--rounds"] ?? 7, stepCounts: counts).run()
case "edit":
  guard arguments.count > 1 else { refuse("edit needs the path of the program 'pipeline'") }
  let numbers = options("--steps", "--edits", after: 2)
  do {
    let benchmark = EditBenchmark(
      stepCount: numbers["--steps"] ?? 1000, editCount: numbers["--edits"] ?? 200,
      program: arguments[1])
    try benchmark.run()
  } catch {
    FileHandle.standardError.write(Data("pipeline-bench: \(error)\n".utf8))
    exit(1)
  }
case "api":
  guard arguments.count > 1 else { refuse("api needs the path of the program 'pipeline'") }
  do {
    let rounds = options("--rounds", after: 2)["--rounds"] ?? 5
    try APIBenchmark(rounds: rounds, program: arguments[1]).run()
  } catch {
    FileHandle.standardError.write(Data("pipeline-bench: \(error)\n".utf8))
    exit(1)
  }
case "workflow":
  guard arguments.count == 2, let count = Int(arguments[1]), count > 0 else {
    refuse("workflow needs a number of steps from 1")
  }
  print(GeneratedWorkflow.json(stepCount: count), terminator: "")
case "run":
  do {
    try await RunBenchmark(Array(arguments.dropFirst())).run()
  } catch let problem as RunBenchmark.Misuse {
    refuse(problem.description)
  } catch {
    FileHandle.standardError.write(Data("pipeline-bench: \(error)\n".utf8))
    exit(1)
  }
case "--help", "help":
  print(usage)
case let name?:
  refuse("there is no benchmark '\(name)'")
case nil:
  refuse("what is to be measured?")
}
