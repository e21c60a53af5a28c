internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage

/// The values that a test gives in place of requests.
struct GivenValues: Sendable {
  private let answers: [(steps: [String], values: [[UInt8]?], isOne: Bool)]

  var isEmpty: Bool { answers.isEmpty }

  init(_ test: WorkflowTest) {
    answers = test.respond.compactMap { answers in
      let list: [TestAnswer?]
      var isOne = false
      switch answers.form {
      case .all(let answer): (list, isOne) = ([answer], true)
      case .listed(let answers): (list, isOne) = ([answers.first], true)
      case .items(let items, _): list = items.map(\.first)
      }
      let values = list.map { answer -> [UInt8]? in
        guard case .values(let node)? = answer?.content else { return nil }
        var writer = JSONWriter(style: .compact)
        writer.value(node)
        return writer.bytes
      }
      return values.contains { $0 != nil } ? (answers.steps, values, isOne) : nil
    }
  }

  func values(of step: String, _ path: [Int], _ item: Int?) -> [UInt8]? {
    guard let given = answers.first(where: { $0.steps.contains(step) }) else { return nil }
    let position = given.isOne ? 0 : (item ?? path.last ?? 0)
    return given.values.indices.contains(position) ? given.values[position] : nil
  }
}
