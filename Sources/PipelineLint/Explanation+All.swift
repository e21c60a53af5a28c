import PipelineJSONText
package import PipelineOpenAPI

extension Explanation {
  /// Every code there is, in alphabetical order.
  package static let all: [Explanation] = {
    let rules =
      LintRules.all.map { $0.explanation } + RecordedRules.all.map { $0.explanation }
      + DescribedRules.explanations
    return (rules + ofReading).sorted { $0.code < $1.code }
  }()

  /// The explanation of a code.
  package static subscript(_ code: String) -> Explanation? { byCode[code] }

  private static let byCode = Dictionary(
    all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}

extension ExplanationText {
  /// The recorded answers of its examples.
  package var recordedAnswers: RecordedAnswers {
    guard let recorded, let document = try? JSONDocument.parse(Array(recorded.utf8)) else {
      return RecordedAnswers()
    }
    return RecordedAnswers(document.root)
  }

  /// The description of the API in its examples.
  package var description: APIDescription? {
    described.flatMap { text in
      try? APIDescription(path: "api.yaml", bytes: Array(text.utf8), load: { _ in nil })
    }
  }
}
