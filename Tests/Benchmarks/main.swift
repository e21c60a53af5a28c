import Foundation

/// A program to measure with, not to ship: `swift run -c release pipeline-bench json`.
let usage = """
  usage: pipeline-bench json [--rounds N]

    json   parsing and extracting, beside Foundation and simdjson, as ratios of medians
  """

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "json":
  let named = arguments.firstIndex(of: "--rounds").flatMap { index in
    index + 1 < arguments.count ? Int(arguments[index + 1]) : nil
  }
  JSONBenchmark(rounds: max(named ?? 15, 9)).run()
case "--help", "help":
  print(usage)
default:
  FileHandle.standardError.write(Data((usage + "\n").utf8))
  exit(64)
}
