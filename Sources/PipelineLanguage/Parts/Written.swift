package import PipelineJSONText

/// A value and the place in the workflow file where its author wrote it.
///
/// Diagnostics, at lint and at run time, point there.
package struct Written<Value: Sendable>: Sendable {
  package let value: Value
  /// The JSON value that it was read from.
  package let node: JSONNode

  package init(_ value: Value, at node: JSONNode) {
    self.value = value
    self.node = node
  }

  /// The bytes of the whole value in its file.
  package var range: Range<Int> { node.range }

  /// The bytes of a part of the string that this was read from, given as UTF-8 offsets in the
  /// decoded text.
  package func range(of part: Range<Int>) -> Range<Int> {
    node.kind == .string ? node.sourceRange(ofDecoded: part) : node.range
  }
}
