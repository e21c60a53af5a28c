package import PipelineJSONPaths
package import PipelineTemplates

/// `forEach`: the collection that a step runs over, and how. Or `repeat`, whose rounds are items.
///
/// By reference: most steps have none, and room for one would double them.
package final class Iteration: Sendable {
  /// Where the items come from.
  package enum Source: Sendable {
    /// The nodes that a query of the scope selects, or the elements if it selects one list.
    case query(Written<Query>)
    /// A list that the author wrote, whose items may hold templates; or a form that gives a list.
    case list(DataTemplate)
    /// Whole numbers, both ends included.
    case range(from: DataTemplate, to: DataTemplate, by: DataTemplate?)
    /// The windows of time between two dates or moments, as a list of objects.
    case windows(DataTemplate)
    /// Rounds, each of which follows from the one before.
    case rounds(Rounds)
  }

  /// The effect of a failed item on the others.
  package enum OnItemError: String, Sendable, CaseIterable {
    /// Cancels the other items, and the step fails.
    case fail
    /// Every item runs. Failed ones are `null` rows.
    case collect
  }

  package let source: Written<Source>
  /// The loop name: one item, or with `batch` a list of them.
  package let name: Written<String>?
  package let indexName: Written<String>?
  /// The maximum number of items at once. 1 is sequential, in the items' order.
  package let concurrency: Written<Int>?
  /// The most items that one pass takes together.
  package let batch: Written<Int>?
  /// The same if the author gives a template.
  package let concurrencyData: DataTemplate?
  package let batchData: DataTemplate?
  /// Ends the collection after the first item for whose row, `@`, it holds.
  package let until: Written<Condition>?
  /// Leaves out an item that equals an earlier one.
  package let isDistinct: Bool
  package let onItemError: OnItemError

  init(
    source: Written<Source>, name: Written<String>?, indexName: Written<String>?,
    concurrency: Written<Int>?, batch: Written<Int>?, concurrencyData: DataTemplate? = nil,
    batchData: DataTemplate? = nil, until: Written<Condition>? = nil, isDistinct: Bool,
    onItemError: OnItemError
  ) {
    self.concurrencyData = concurrencyData
    self.batchData = batchData
    self.until = until
    self.source = source
    self.name = name
    self.indexName = indexName
    self.concurrency = concurrency
    self.batch = batch
    self.isDistinct = isDistinct
    self.onItemError = onItemError
  }

  /// Whether one pass takes several items together.
  package var isBatched: Bool { batch != nil || batchData != nil }

  /// The loop name if the author gives none.
  static let usualName = "item"

  /// The name of an item.
  ///
  /// `nil` if the items are rounds, whose values have names of their own.
  package var itemName: String? { rounds == nil ? name?.value ?? Self.usualName : nil }

  /// `repeat`; `nil` if the items are those of a `forEach`.
  package var rounds: Rounds? { if case .rounds(let rounds) = source.value { rounds } else { nil } }

  /// The names that an item has in the step.
  package var names: [String] {
    rounds?.names ?? [itemName, indexName?.value].compactMap(\.self)
  }
}
