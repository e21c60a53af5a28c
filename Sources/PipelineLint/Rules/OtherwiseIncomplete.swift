import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// An `otherwise` that lacks a value others need.
enum OtherwiseIncomplete: LintRule {
  static let explanation = Explanation(
    "otherwise-incomplete", .warning,
    what: "A step's `otherwise` leaves out a value that another step needs.",
    why: """
      If the step is skipped, or fails under `recover`, only `otherwise` gives its values. A step \
      that needs one of the missing values is then skipped as well. Nothing is reported if the \
      extractor is `optional`, or if the other step's `when` reads this step.
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
    for reader in context.steps {
      for need in context.needs(of: reader) {
        let source = need.source
        guard let otherwise = source.step.otherwise, need.name != "error",
          !otherwise.contains(where: { $0.name == need.name }), !source.mayLack(need.name),
          reported.insert("\(source.number).\(need.name)").inserted,
          let place = source.step.node.members.first(where: { $0.name == "otherwise" })
        else { continue }
        found.append(
          finding(
            "'otherwise' lacks '\(need.name)', so step '\(reader.step.id.value)', which needs it,"
              + " is skipped as well",
            at: place.nameRange,
            related: [.init(range: need.range, message: "'\(need.name)' is read here")]))
      }
    }
    return found
  }
}
