import PipelineLanguage
import PipelineSourceText

/// A carried value that nothing reads.
enum UnusedCarry: LintRule {
  static let explanation = Explanation(
    "unused-carry", .warning,
    what: "Rounds carry a value that nothing in them reads.",
    why: """
      If no round reads what the one before gave it, each does the same. Read the value in the \
      block, or remove it. A request that is sent again until its response says something is `poll`. \
      Reading the value in its own `next` does not count.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "drain",
            "repeat": {
              "carry": { "token": "{{take.token}}" },
              "until": "@.take.count == 0",
              "maxRounds": 100
            },
            "steps": [
              {
                "id": "take",
                "endpoint": "POST https://api.example.com/queue/take",
                "extract": { "token": "$.token", "count": { "body": "$.count", "type": "integer" } }
              }
            ]
          }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "drain",
            "repeat": {
              "carry": { "token": "{{take.token}}" },
              "until": "@.take.count == 0",
              "maxRounds": 100
            },
            "steps": [
              {
                "id": "take",
                "endpoint": "POST https://api.example.com/queue/take",
                "query": { "after": "{{token}}" },
                "extract": { "token": "$.token", "count": { "body": "$.count", "type": "integer" } }
              }
            ]
          }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let loop = LintRounds(step, context), !loop.rounds.carried.isEmpty else { return }
    let read = Set(context.reads(ofRoundsOf: step).map(\.name))
    for value in loop.rounds.carried
    where !read.contains(value.name) && !context.unread.contains(value.name) {
      let isIdle = read.isEmpty && loop.onlyStep(context)?.request != nil
      found.append(
        finding(
          "nothing reads '\(value.name)'"
            + (read.isEmpty
              ? ", so each round does the same"
                + (isIdle ? "; a request that is asked again is \"poll\"" : "")
              : "; remove it, or read it in the block"),
          at: value.nameRange,
          fix: .suggesting(
            "remove '\(value.name)'", [loop.rounds.node.removing(value.name, from: "carry")])))
    }
  }
}
