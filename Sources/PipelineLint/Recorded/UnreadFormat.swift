import PipelineFormats
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// Recorded answers in a format that the step does not read.
enum UnreadFormat: RecordedRule {
  static let explanation = Explanation("unread-format", .warning, PackageResources.unread_format_md)

  static func check(
    _ step: Step, _ answers: [RecordedAnswers.Answer], _ found: inout [Diagnostic]
  ) {
    guard case .request(let request) = step.action, request.read == nil,
      let extractor = step.bodyExtractors.first?.extractor,
      let answer = answers.first(where: { answer in
        step.expect.status.contains { $0.matches(answer.status) } && answer.body == nil
      }), let format = BodyFormat(mediaType: answer.mediaType)
    else { return }
    let start = step.node.range.lowerBound + 1
    found.append(
      finding(
        "the recorded answer is \(format.words), which the step does not read; write \"read\":"
          + " \"\(format.name)\"", at: extractor.node.range,
        fix: DiagnosticFix(
          message: "write \"read\": \"\(format.name)\"",
          edits: [
            DiagnosticFix.Edit(
              range: start..<start, replacement: " \"read\": \"\(format.name)\",")
          ], isSafe: false)))
  }
}
