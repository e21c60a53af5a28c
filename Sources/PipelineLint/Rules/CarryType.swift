import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A carried value that does not keep its type.
enum CarryType: LintRule {
  static let explanation = Explanation(
    "carry-type", .error,
    what: "A value that rounds carry has another type in the next round.",
    why: """
      The block was written for the type of the first round: of `type`, or of `default`. Change \
      that, or let `next` give a value of this type. A run fails only if there is a `type`; without \
      one this is a warning.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "export",
            "repeat": {
              "carry": {
                "page": { "type": "integer", "default": 1, "next": "page {{get.next}}" }
              },
              "until": "@.get.isLast == true",
              "maxRounds": 100
            },
            "steps": [
              {
                "id": "get",
                "endpoint": "POST https://api.example.com/exports",
                "body": { "json": { "page": "{{page}}" } },
                "extract": { "next": "$.next", "isLast": { "body": "$.isLast", "type": "boolean" } }
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
            "id": "export",
            "repeat": {
              "carry": { "page": { "default": 1, "next": "{{get.next}}" } },
              "until": "@.get.isLast == true",
              "maxRounds": 100
            },
            "steps": [
              {
                "id": "get",
                "endpoint": "POST https://api.example.com/exports",
                "body": { "json": { "page": "{{page}}" } },
                "extract": { "next": "$.next", "isLast": { "body": "$.isLast", "type": "boolean" } }
              }
            ]
          }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let loop = LintRounds(step, context) else { return }
    for value in loop.rounds.carried {
      let first = value.first.map { data in
        context.shape(of: data) { context.read($0, in: step.number) }
      }
      if let type = value.type, let data = value.first, let first, !data.uses.isEmpty,
        let kind = first.kind, kind != type.shape.contentKind
      {
        found.append(
          finding(
            "the default of '\(value.name)' must be \(type.words), not \(first.words)",
            at: data.node.range))
      }
      guard let next = value.next else { continue }
      let given = context.shape(of: next.value) { context.read($0, inOutputsOf: loop.inner) }
      // An absent or null value may stand for "no more".
      guard let kind = given.kind, kind != .null else { continue }
      if let type = value.type {
        guard kind != type.shape.contentKind else { continue }
        found.append(
          finding(
            "the next value of '\(value.name)' must be \(type.words), not \(given.words)",
            at: next.node.range))
      } else if let first, let before = first.kind, before != .null, before != kind {
        var finding = finding(
          "'\(value.name)' begins as \(first.words), and its next value is \(given.words)",
          at: next.node.range)
        finding.severity = .warning
        found.append(finding)
      }
    }
  }
}
