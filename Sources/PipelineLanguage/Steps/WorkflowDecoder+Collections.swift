import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

extension WorkflowDecoder {
  /// `forEach` and the keys that go with it.
  ///
  /// - Parameter onError: The effect of the step's failure: `recover` keeps the rows of the other
  ///   items.
  mutating func iteration(
    _ keys: IterationKeys, _ fields: ObjectFields, _ onError: FailureEffect
  ) -> Iteration? {
    guard let source = keys.source else { return nil }
    if onError == .recover, keys.onItemError == .fail { reportLostRows(fields) }
    if let name = keys.name { checkHiding(name) }
    if let indexName = keys.indexName {
      checkHiding(indexName)
      if indexName.value == keys.name?.value ?? Iteration.usualName {
        report(
          .duplicateName, "the item and its number are both called '\(indexName.value)'",
          at: indexName.range)
      }
    }
    if keys.name == nil { checkHiding(Written(Iteration.usualName, at: source.node)) }
    if let member = fields.member("until"), keys.concurrency?.data == nil,
      keys.concurrency?.number?.value != 1
    {
      report(
        .conflictingKeys,
        "'until' looks at one row after another; write \"concurrency\": 1 beside it",
        at: member.nameRange,
        fix: fields["concurrency"].map { .replacing($0.range, with: "1", isSafe: false) }
          ?? .inserting(
            ", \"concurrency\": 1", at: member.value.range.upperBound, "add \"concurrency\": 1"))
    }
    return Iteration(
      source: source, name: keys.name, indexName: keys.indexName,
      concurrency: keys.concurrency?.number, batch: keys.batch?.number,
      concurrencyData: keys.concurrency?.data, batchData: keys.batch?.data, until: keys.until,
      isDistinct: keys.isDistinct,
      onItemError: onError == .recover ? .collect : keys.onItemError ?? .fail)
  }

  private mutating func reportLostRows(_ fields: ObjectFields) {
    guard let node = fields["onItemError"] else { return }
    let source = fields.has("onError") ? "" : ", which 'defaults' set,"
    report(
      .conflictingKeys,
      "\"onError\": \"recover\"\(source) keeps the rows of the other items, and"
        + " \"onItemError\": \"fail\" would cancel them; write \"collect\" or leave it out",
      at: node.range,
      related: fields.member("onError").map {
        [.init(range: $0.nameRange, message: "'onError' is here")]
      } ?? [],
      fix: DiagnosticFix(
        message: "write \"collect\"",
        edits: [DiagnosticFix.Edit(range: node.range, replacement: "\"collect\"")], isSafe: false))
  }

  /// The names that a loop defines for its inner steps.
  func loopScope(_ iteration: Iteration?) -> [String: Range<Int>] {
    guard let iteration else { return [:] }
    if let rounds = iteration.rounds {
      return Dictionary(
        rounds.carried.map { ($0.name, $0.nameRange) }, uniquingKeysWith: { first, _ in first })
    }
    var names: [String: Range<Int>] = [:]
    if let item = iteration.itemName {
      names[item] = iteration.name?.range ?? iteration.source.range
    }
    if let index = iteration.indexName { names[index.value] = index.range }
    return names
  }
}
