import JSONPaths
import JSONText
import SourceText

/// An `otherwise` that lacks a value others need.
enum OtherwiseIncomplete: LintRule {
  static let explanation = Explanation(
    "otherwise-incomplete", .warning,
    what: "A step's `otherwise` leaves out a value that another step needs.",
    why: """
      Where the step is skipped, or has failed under `recover`, its values come from `otherwise` \
      alone. A step that needs one that is not there is skipped in turn.
      """,
    bad: """
      {
        "inputs": { "id": { "type": "string", "optional": true } },
        "steps": [
          {
            "id": "find",
            "when": "$.inputs.id",
            "endpoint": "GET https://api.example.com/users/{{inputs.id}}",
            "extract": { "name": "$.name", "email": "$.email" },
            "otherwise": { "name": "nobody" }
          },
          {
            "id": "mail",
            "endpoint": "POST https://api.example.com/mails",
            "body": { "json": { "to": "{{find.email}}", "name": "{{find.name}}" } }
          }
        ]
      }
      """,
    good: """
      {
        "inputs": { "id": { "type": "string", "optional": true } },
        "steps": [
          {
            "id": "find",
            "when": "$.inputs.id",
            "endpoint": "GET https://api.example.com/users/{{inputs.id}}",
            "extract": { "name": "$.name", "email": "$.email" },
            "otherwise": { "name": "nobody", "email": "nobody@example.com" }
          },
          {
            "id": "mail",
            "endpoint": "POST https://api.example.com/mails",
            "body": { "json": { "to": "{{find.email}}", "name": "{{find.name}}" } }
          }
        ]
      }
      """)

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    var reported = Set<String>()
    for step in context.steps {
      for use in step.uses where use.use.mode == .needs {
        guard case .step(let level, let index)? = use.definition,
          let other = context.step(level: level, index: index, from: step.block),
          other.forEach == nil, let otherwise = other.otherwise,
          let name = use.use.query.segments.dropFirst().first?.name
        else { continue }
        guard name != "error", !otherwise.contains(where: { $0.name == name }),
          reported.insert("\(other.node.index).\(name)").inserted,
          let place = other.node.members.first(where: { $0.name == "otherwise" })
        else { continue }
        found.append(
          finding(
            "'otherwise' lacks '\(name)', which step '\(step.step.id.value)' needs",
            at: place.nameRange,
            related: [.init(range: use.use.range, message: "'\(name)' is read here")]))
      }
    }
    return found
  }
}
