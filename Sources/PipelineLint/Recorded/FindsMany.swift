import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// An extractor that takes the only one of several.
enum FindsMany: RecordedRule {
  static let explanation = Explanation(
    "finds-many", .warning,
    what: "An extractor takes the only value, and recorded answers have several.",
    why: """
      The step fails on such an answer. Take the first or the last one, or narrow the query with a \
      filter.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "users",
            "endpoint": "GET https://api.example.com/users",
            "extract": { "admin": { "body": "$.users[*].name", "take": "one" } }
          }
        ],
        "outputs": { "admin": "{{users.admin}}" }
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "users",
            "endpoint": "GET https://api.example.com/users",
            "extract": { "admin": { "body": "$.users[?@.admin == true].name", "take": "one" } }
          }
        ],
        "outputs": { "admin": "{{users.admin}}" }
      }
      """,
    recorded: #"{"users": [{"users": [{"name": "A"}, {"name": "B", "admin": true}]}]}"#)

  static func check(
    _ step: Step, _ answers: [RecordedAnswers.Answer], _ found: inout [Diagnostic]
  ) {
    let bodies = step.expected(answers).compactMap(\.body)
    for (extractor, query) in step.bodyExtractors where extractor.take?.value == .one {
      let most = bodies.map { query.value.nodes(in: QueryContext($0)).count }.max() ?? 0
      guard most > 1, let take = extractor.take else { continue }
      found.append(
        finding(
          "extractor '\(extractor.name)' takes the only value, and a recorded answer has \(most);"
            + " take the first or the last, or filter them", at: take.range))
    }
  }
}
