internal import PipelineByteText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelineSourceText

/// `pipeline explain`: what a key, a data form or a code of lint means.
struct ExplainCommand: ComputedCommand {
  private let word: String?

  static let page = CommandPage(
    name: "explain",
    summary: "Explain a key, a data form or a lint code",
    discussion: [
      "A word of the language is explained with its type, an example and the keys that go with it."
        + " A word of another tool is explained with what is written here. Without a word, the"
        + " codes of lint are listed, which are in brackets behind each finding. The kind of a failure"
        + " is explained, too, which is in brackets behind the message of a failed step. 'pipeline help"
        + " language' has every key and form."
    ],
    examples: [
      Example(line: "pipeline explain retry", meaning: "Show a key, and the keys inside it"),
      Example(line: "pipeline explain step.timeout", meaning: "Show the key of one object only"),
      Example(
        line: "pipeline explain split", meaning: "Show the data form $split with its options"),
      Example(
        line: "pipeline explain unknown-reference",
        meaning: "Show what lint finds, why it matters, and a better example"),
    ])

  /// Every word of the language and of lint that can be explained, apart from those of other tools.
  /// Forms are without their `$`, which a shell would expand.
  static let topics =
    Explanation.all.map(\.code)
    + LanguageTopic.names.map { $0.hasPrefix(bytes: "$") ? String($0.dropFirst(bytes: 1)) : $0 }

  init(_ arguments: inout Arguments) {
    word = arguments.optionalOperand(
      "WORD", .topic, help: "Such as retry, step.retry, $merge or unknown-reference")
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    guard let word else {
      console.output.write(list)
      return .success
    }
    let explanation = Explanation[word]
    let topic = LanguageTopic(word)
    let failure = FailureKindText(word)
    guard explanation != nil || topic != nil || failure != nil else {
      let known =
        Explanation.all.map(\.code) + LanguageTopic.names
        + FailureReason.Kind.allCases.map(\.rawValue)
      console.complain(
        "nothing is called '\(word)'"
          + (Self.place(of: word, in: program.table) ?? Spelling.didYouMean(word, among: known)))
      return .usage
    }
    let texts = [
      (explanation?.text).map(text), topic.map { TopicText(word: word, topic: $0).text },
      failure?.text,
    ]
    console.output.write(texts.compactMap { $0 }.joined(separator: "\n"))
    return .success
  }

  /// Where a word of the command line is explained; `nil` if it is none.
  private static func place(of word: String, in table: CommandTable) -> String? {
    let name = String(word.drop { $0 == "-" })
    if table.commands.contains(where: { $0.name.equals(bytes: name) }) {
      return "; it is a command: see 'pipeline help \(name)'"
    }
    let commands = table.commands.filter { $0.option(named: name) != nil }.map(\.name)
    guard let first = commands.first else { return nil }
    let others = commands.count > 1 ? " and \((commands.count - 1).counting("other command"))" : ""
    return "; --\(name) is an option of 'pipeline \(first)'\(others): see 'pipeline help \(first)'"
  }

  /// Every code with its subject.
  private var list: String {
    let width = Explanation.all.map(\.code.count).max() ?? 0
    return Explanation.all.map { explanation in
      let gap = String(repeating: " ", count: width - explanation.code.count + 2)
      return explanation.code + gap + explanation.text.what + "\n"
    }.joined()
  }

  private func text(of explanation: ExplanationText) -> String {
    var text = "\(explanation.title)\n\n\(explanation.what)\n\n\(explanation.why)\n"
    let examples = [
      ("Found in", explanation.bad), ("With these answers, by step", explanation.recorded ?? ""),
      ("With this description of the API", explanation.described ?? ""),
      ("Better", explanation.good),
    ]
    for (title, example) in examples
    where !example.isEmpty {
      text += "\n\(title):\n\n"
      for line in example.split(ascii: "\n", omittingEmptySubsequences: false) {
        text += line.isEmpty ? "\n" : "  \(line)\n"
      }
    }
    return text
  }
}
