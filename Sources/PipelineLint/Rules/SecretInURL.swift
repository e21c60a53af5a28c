import PipelineJSONPaths
import PipelineTemplates
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A secret that is put into a URL, or into the name of a file.
enum SecretInURL: LintRule {
  static let explanation = Explanation("secret-in-url", .warning, PackageResources.secret_in_url_md)

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
