import PipelineFormats
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// Recorded answers in a format that the step does not read.
enum UnreadFormat: RecordedRule {
  static let explanation = Explanation(
    "unread-format", .warning,
    what: "The recorded answers of a step are in a format that it does not read.",
    why: """
      A step reads a body as JSON unless it has `read`. The media type of the recorded answers says \
      what they are.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "orders",
            "endpoint": "GET https://api.example.com/orders.csv",
            "extract": { "ids": "$[*].id" }
          }
        ],
        "outputs": { "ids": "{{orders.ids}}" }
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "orders",
            "endpoint": "GET https://api.example.com/orders.csv",
            "read": "csv",
            "extract": { "ids": "$[*].id" }
          }
        ],
        "outputs": { "ids": "{{orders.ids}}" }
      }
      """, recorded: #"{"orders": [{"$text": "id\n7\n", "contentType": "text/csv"}]}"#)

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
