package import PipelineJSONText

/// A value that a successful run leaves to the next run.
package struct StateValue: Sendable {
  package let name: String
  package let nameRange: Range<Int>
  package var type: Input.ValueType?
  package var description: String?
  /// The value before any run has left one. A `date` or `datetime` may be `now` or `now-30d`.
  package var defaultValue: JSONNode?
  /// The value after a successful run.
  package var next: Field?
  /// The whole declaration.
  package let node: JSONNode

  package init(name: String, nameRange: Range<Int>, node: JSONNode) {
    self.name = name
    self.nameRange = nameRange
    self.node = node
  }
}
