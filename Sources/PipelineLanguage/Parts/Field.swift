package import PipelineJSONText
package import PipelineTemplates

/// A named value that a workflow makes: a member of `values`, `outputs`, `otherwise`, `inputs`.
package struct Field: Sendable {
  package let name: String
  package let nameRange: Range<Int>
  package let value: DataTemplate
  /// Whether an output that is secret is shown all the same.
  package var isRevealed = false
  package let node: JSONNode

  package init(name: String, nameRange: Range<Int>, value: DataTemplate, node: JSONNode) {
    self.name = name
    self.nameRange = nameRange
    self.value = value
    self.node = node
  }
}
