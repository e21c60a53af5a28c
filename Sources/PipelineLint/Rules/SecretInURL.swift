import PipelineJSONPaths
import PipelineTemplates
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A secret that is put into a URL, or into the name of a file.
enum SecretInURL: LintRule {
  static let explanation = Explanation(
    "secret-in-url", .warning,
    what: "A URL, or the path of `save`, contains a secret input or extracted secret.",
    why: """
      URLs are kept in the logs of servers and proxies and in the histories of tools. Send a \
      secret in a header or, better, in `auth`. Everybody who lists a folder reads its names.
      """,
    bad: """
      {
        "inputs": { "key": { "type": "string", "secret": true, "env": "API_KEY" } },
        "steps": [
          { "id": "list", "endpoint": "GET https://api.example.com/users?key={{inputs.key}}" }
        ]
      }
      """,
    good: """
      {
        "inputs": { "key": { "type": "string", "secret": true, "env": "API_KEY" } },
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "headers": { "X-API-Key": "{{inputs.key}}" }
          }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    let readings = context.readings[step.number]
    let save = step.request?.save?.range
    for number in readings.indices where readings[number].shape.isSecret {
      let use = step.uses[number].use
      switch use.site {
      case .url, .parameter:
        found.append(
          finding(
            "'\(use.query.shown)' is a secret, and URLs are kept in logs; "
              + "send it in a header or in 'auth'", at: use.range))
      case _ where save?.contains(use.range.lowerBound) == true:
        found.append(
          finding(
            "'\(use.query.shown)' is a secret, and everybody who lists the folder reads a file's name;"
              + " name the file after something else", at: use.range))
      default: break
      }
    }
  }
}
