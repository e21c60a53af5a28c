import PipelineJSONPaths

extension Step {
  /// The values that the pages of its request hand on.
  package var pageValues: [PageValue] {
    if case .request(let request) = action { request.paginate?.form.carried ?? [] } else { [] }
  }
}

extension WorkflowDecoder {
  /// Reports what reads a carried value, and is judged before there is a page.
  mutating func checkPageValues(of step: Step) {
    let names = step.pageValues.map(\.name)
    guard !names.isEmpty else { return }
    var early = UseCollector()
    if let when = step.when { early.add(when) }
    early.add(step.otherwise, .waits)
    for use in early.uses {
      guard let name = use.query.firstName, names.contains(name) else { continue }
      report(
        .invalidValue,
        "'\(name)' is a value of a page, and this is judged once, before there is one",
        at: use.range)
    }
  }
}
