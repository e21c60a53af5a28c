import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A pattern of `match` or `search` that is not an I-Regexp.
enum PatternSyntax: LintRule {
  static let explanation = Explanation("pattern-syntax", .error, PackageResources.pattern_syntax_md)

  static func check(
    _ parts: StepParts, of reader: LintContext.Reader, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    for (call, node) in parts.calls {
      guard let problem = call.patternProblem else { continue }
      let fix = problem.fix.flatMap {
        WorkflowDecoder.fix($0, for: problem.range, in: node, isSafe: !problem.isGuess)
      }
      found.append(
        finding(problem.message, at: node.sourceRange(ofDecoded: problem.range), fix: fix))
    }
  }
}
