package import PipelineJSONText
package import PipelineTemplates

/// A value that a successful run leaves to the next run: one for the file, or one for each item of
/// a loop.
package struct StateValue: Sendable {
  package let name: String
  package let nameRange: Range<Int>
  package var type: Input.ValueType?
  package var description: String?
  /// The value before any run has left one. A `date` or `datetime` may be `now` or `now-30d`.
  package var defaultValue: JSONNode?
  /// The value after a successful run.
  package var next: Field?
  /// Whether each item of a loop has a value of its own, which is kept under the item's key.
  package let isOfItems: Bool
  /// The key of an item; `nil` if it is the file's value, or the key could not be read.
  package var by: Written<Template>?
  /// The whole declaration.
  package let node: JSONNode

  package init(name: String, nameRange: Range<Int>, isOfItems: Bool = false, node: JSONNode) {
    self.name = name
    self.nameRange = nameRange
    self.isOfItems = isOfItems
    self.node = node
  }
}
