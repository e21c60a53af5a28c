import PipelineByteText
import PipelineJSONText
import PipelineSourceText

extension WorkflowText {
  /// Whether it is a test file: it has tests, and no steps.
  package var isTest: Bool {
    var hasTests = source.name.hasSuffix(bytes: ".test.json")
    for member in document.root.members {
      if member.name == "steps" { return false }
      if member.name == "tests" { hasTests = true }
    }
    return hasTests
  }
}
