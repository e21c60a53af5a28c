internal import PipelineByteText

/// Options of other tools for something that has another option in this command.
enum OptionAliases {
  /// The replacement of an unknown option, given without its dashes.
  static func advice(on name: String, in command: Command) -> String? {
    func has(_ option: String) -> Bool { command.option(named: option) != nil }
    for (words, option) in synonyms where words.contains(bytes: name) && has(option) {
      return "did you mean '--\(option)'?"
    }
    switch name {
    case "json": return command.takes("json", for: "format") ? "write '--format json'" : nil
    case "format": return has("json") ? "write '--json'" : nil
    case "no-color": return has("color") ? "write '--color never'" : nil
    case "dry-run": return has("plan") ? "did you mean '--plan'?" : ways[command.name]?[name]
    default: return ways[command.name]?[name]
    }
  }

  /// What is written in another way than as an option, by commands.
  private static let ways: [String: [String: String]] = [
    "run": [
      "dry-run": "'pipeline plan' shows what would run, and sends nothing",
      "check": "'pipeline lint' checks a file, and sends nothing",
      "retry": "write 'retry' into the workflow", "timeout": "write 'timeout' into the workflow",
      "retries": "write 'retry' into the workflow",
      "rate": "write 'limits': {\"rate\": …} into the workflow",
    ],
    "try": ["X": method, "method": method, "request": method],
  ]

  private static let method = "write the method before the URL: 'POST https://…'"

  /// Whether each word of `name` begins the word of `option` at its place: `out-dir` for
  /// `output-dir`.
  static func isShort(_ name: String, for option: String) -> Bool {
    let words = name.split(ascii: "-")
    let whole = option.split(ascii: "-")
    return words.count == whole.count && name.utf8.count > 2
      && zip(words, whole).allSatisfy { $1.hasPrefix(bytes: String($0)) }
  }

  private static let synonyms: [([String], String)] = [
    (["var", "vars", "param", "params", "arg", "data", "variable", "env-var"], "set"),
    (["vars-file", "var-file", "input-file", "values"], "inputs"),
    (["parallel", "jobs", "threads", "workers", "max-concurrency", "parallelism"], "concurrency"),
    (["silent", "s"], "quiet"), (["debug", "trace"], "verbose"),
    (["body", "data-raw", "data-binary", "form"], "data"), (["headers"], "header"),
    (["out", "file", "O"], "output"), (["log", "log-file"], "events"),
    (["profile", "stage"], "environment"), (["recording", "har"], "with"),
  ]
}
