import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

/// A pattern of `match` or `search` that is not an I-Regexp.
enum PatternSyntax: FunctionCallRule {
  static let explanation = Explanation("pattern-syntax", .error, PackageResources.pattern_syntax_md)

  static func judge(_ call: FunctionCall, in node: JSONNode) -> Diagnostic? {
    call.patternProblem.map { problem in
      finding(problem.message, at: node.sourceRange(ofDecoded: problem.range))
    }
  }
}
