import Foundation

/// A program to measure with, not to ship: `swift run -c release pipeline-bench json`.
let usage = """
  usage: pipeline-bench json [--rounds N]
         pipeline-bench lint [--rounds N] [--steps N]
         pipeline-bench run [--rounds N] [--cases A,C,…] [--json] [--pipeline PATH] [--quick]
         pipeline-bench workflow N

    json   parsing and extracting, beside Foundation and simdjson, as ratios of medians
    lint   linting generated workflows of 1,000, 10,000 and 100,000 steps
    workflow   prints such a workflow
    run    what a run costs, beside curl, wrk and URLSession; --quick makes G and H ten times smaller
  """

let arguments = Array(CommandLine.arguments.dropFirst())

func option(_ name: String) -> Int? {
  arguments.firstIndex(of: name).flatMap { index in
    index + 1 < arguments.count ? Int(arguments[index + 1]) : nil
  }
}

let named = option("--rounds")
switch arguments.first {
case "json":
  JSONBenchmark(rounds: max(named ?? 15, 9)).run()
case "lint":
  let counts = option("--steps").map { [max($0, 1)] } ?? [1000, 10_000, 100_000]
  LintBenchmark(rounds: max(named ?? 7, 1), stepCounts: counts).run()
case "workflow":
  let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 1000
  print(GeneratedWorkflow.json(stepCount: max(count, 1)), terminator: "")
case "run":
  guard let benchmark = RunBenchmark(Array(arguments.dropFirst())) else {
    FileHandle.standardError.write(Data((usage + "\n").utf8))
    exit(64)
  }
  do {
    try await benchmark.run()
  } catch {
    FileHandle.standardError.write(Data("pipeline-bench: \(error)\n".utf8))
    exit(1)
  }
case "--help", "help":
  print(usage)
default:
  FileHandle.standardError.write(Data((usage + "\n").utf8))
  exit(64)
}
