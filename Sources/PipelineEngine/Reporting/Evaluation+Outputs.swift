internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates

extension Evaluation {
  /// The outputs of a run, secrets masked.
  static func outputs(
    _ fields: [(field: Field, taint: Taint)], in scope: Scope, files: any FileAccess
  ) throws(FailureReason) -> Outputs {
    var outputs: [Outputs.Output] = []
    for (field, taint) in fields {
      if !taint.isWhole, let rows = field.value.wholeReference.flatMap(scope.rows) {
        outputs.append(Outputs.Output(name: field.name, rows: rows, taint: taint))
        continue
      }
      let text = try text(of: [field], in: scope, files: files)
      for member in JSONDocument.written(text).root.members {
        let value = taint.isNone ? member.value : member.value.masked(taint)
        outputs.append(
          Outputs.Output(name: field.name, value: value, hidesSecrets: !taint.isNone))
      }
    }
    return Outputs(outputs)
  }
}
