package import PipelineJSONText

/// A JSON Schema of draft 2020-12, read once and checked against any number of values.
///
/// Supported are the vocabularies core (`$ref`, `$anchor`, `$id` and `$defs` within the document),
/// applicator, unevaluated, validation and format assertion. Unsupported constructs (`$dynamicRef`,
/// documents elsewhere, other drafts) are refused by `parse` and never ignored.
///
/// Performs no I/O: no `$ref` is ever fetched.
package struct Schema: Sendable {
  /// The schema's own place in its document.
  package let node: JSONNode
  /// Every schema in it. Rules name one another by position.
  let subschemas: [Subschema]
  /// The position of the whole.
  let root: Int
  let patternCount: Int

  /// What `format` does.
  package enum FormatUse: Sendable, Hashable {
    /// The value must have the format. An unknown format is refused.
    case assertion
    /// `format` is an annotation for readers and is not checked.
    case annotation
  }
}
