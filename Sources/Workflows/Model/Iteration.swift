public import JSONPaths
public import Templates

/// `forEach`: the collection that a step runs over, and how.
public struct Iteration: Sendable {
  /// Where the items come from.
  public enum Source: Sendable {
    /// The nodes that a query of the scope selects; the elements where it selects one list.
    case query(Written<Query>)
    /// A list that the author wrote; its items may hold templates.
    case list(DataTemplate)
    /// Whole numbers, both ends included.
    case range(from: DataTemplate, to: DataTemplate, by: DataTemplate?)
  }

  /// What a failed item does to the others.
  public enum OnItemError: String, Sendable, CaseIterable {
    /// Cancels the other items; the step fails.
    case fail
    /// Every item runs; the failed ones are `null` rows.
    case collect
  }

  public var source: Written<Source>
  /// The loop name: one item, or with `batch` a list of them.
  public var name: Written<String>?
  public var indexName: Written<String>?
  /// The most items at once; 1 is sequential, in the items' order.
  public var concurrency: Written<Int>?
  /// The most items that one pass takes together.
  public var batch: Written<Int>?
  /// Leaves out an item that equals an earlier one.
  public var isDistinct = false
  public var onItemError = OnItemError.fail

  public init(source: Written<Source>) {
    self.source = source
  }

  /// The loop name; `item` where the author gives none.
  public var itemName: String { name?.value ?? "item" }
}
