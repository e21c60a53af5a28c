internal import PipelineByteText

/// The order of the fields of a query or a form, which a map of names to values keeps only in part.
package enum FieldOrder {
  /// Whether fields of one name follow each other, so that a map gives the same order.
  package static func isKept(_ names: some Sequence<String>) -> Bool {
    var known: Set<ExactText> = []
    var last: String?
    for name in names where last.map({ $0.equals(bytes: name) }) != true {
      guard known.insert(ExactText(name)).inserted else { return false }
      last = name
    }
    return true
  }
}
