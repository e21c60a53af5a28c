import PipelineJSONText
import PipelineSourceText

extension WorkflowDecoder {
  /// The whole file; `nil` if it is not an object.
  mutating func workflow() -> Workflow? {
    guard let fields = fields(of: document.root, .file, .file) else { return nil }
    let workflow = reading(fields) { Workflow(&$0) }
    if let homeless = homeless.first, !namesBaseURL, !misplaced.contains("baseURL") {
      add(homeless)
    }
    return workflow
  }

  /// A file that others name in `extends`.
  package mutating func readBase(into workflow: inout Workflow) {
    guard let fields = fields(of: document.root, .base, .base) else { return }
    reading(fields) { workflow.readBase(&$0) }
  }
}
