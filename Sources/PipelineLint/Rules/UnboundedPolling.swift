import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A polling whose end is not written.
enum UnboundedPolling: LintRule {
  static let explanation = Explanation(
    "unbounded-polling", .note,
    what: "`poll` has neither `within` nor `attempts`.",
    why: """
      It fails after five minutes. If you write the limit, readers of the file know how long a run \
      may take.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/jobs/1",
            "poll": { "until": "@.body.state == 'done'" }
          }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/jobs/1",
            "poll": { "until": "@.body.state == 'done'", "within": "2m" }
          }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard step.request?.poll != nil,
      let member = step.step.node.members.first(where: { $0.name == "poll" }),
      member.value["within"] == nil, member.value["attempts"] == nil,
      !context.hasUnread(in: member.value)
    else { return }
    found.append(
      finding(
        "polling ends after 5m; write 'within' or 'attempts' with the limit that you expect",
        at: member.nameRange))
  }
}
