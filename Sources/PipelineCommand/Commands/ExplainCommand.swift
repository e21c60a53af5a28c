internal import PipelineByteText
internal import PipelineLint
internal import PipelineSourceText

/// `pipeline explain`: what a code of lint means.
struct ExplainCommand: ComputedCommand {
  private let code: String?

  static let page = CommandPage(
    name: "explain",
    summary: "Explain a lint code",
    discussion: [
      "Each finding of lint ends with its code in brackets. Without a code, all codes are listed."
    ],
    examples: [
      Example(
        line: "pipeline explain unknown-reference",
        meaning: "Show what is found, why it matters, and a better example")
    ])

  init(_ arguments: inout Arguments) {
    code = arguments.optionalOperand("CODE", .code, help: "A code such as unknown-reference")
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    guard let code else {
      console.output.write(list)
      return .success
    }
    guard let explanation = Explanation.all.first(where: { $0.code == code }) else {
      let near = Spelling.didYouMean(code, among: Explanation.all.map(\.code))
      console.complain("no finding has the code '\(code)'" + near)
      return .usage
    }
    console.output.write(text(of: explanation))
    return .success
  }

  /// Every code with its subject.
  private var list: String {
    let width = Explanation.all.map(\.code.count).max() ?? 0
    return Explanation.all.map { explanation in
      let gap = String(repeating: " ", count: width - explanation.code.count + 2)
      return explanation.code + gap + explanation.what + "\n"
    }.joined()
  }

  private func text(of explanation: Explanation) -> String {
    var text = "\(explanation.code) (\(explanation.severity.rawValue))\n\n\(explanation.what)\n"
    if !explanation.why.isEmpty { text += "\n\(explanation.why)\n" }
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
