import PipelineByteText
import PipelineLanguage
import PipelineTemplates

extension WorkflowAnalysis {
  /// What there is to say about a proposal for a place, a line each.
  package func documentation(of completion: WorkflowCompletion, at offset: Int) -> [String] {
    let path = DocumentPath(document, to: offset, root: root)
    switch completion.kind {
    case .key:
      if let key = path.kind?.object[completion.text] {
        var lines = [key.meaning, "Type: \(key.type.words)" + (key.isRequired ? ", required" : "")]
        if let value = key.defaultValue { lines.append("Default: \(value)") }
        return lines + ["Example: \"\(key.name)\": \(key.example)"]
      }
      guard
        let form = DataForms.tables.first(where: { $0.title.name.equals(bytes: completion.text) })
      else { return [completion.detail] }
      return [form.title.meaning, "Example: \(form.title.example)"]
    case .name:
      guard let written = written(at: offset, in: path) else { return [completion.detail] }
      let name = written.owner.map { $0 + "." } ?? ""
      let sample = sample(of: name + completion.text, at: offset)
      return ["Type: \(completion.detail)"] + (sample.map { ["Recorded: \($0)"] } ?? [])
    case .value, .file: return [completion.detail]
    }
  }
}
