/// How XML is read.
package struct XMLFormat: Sendable, Hashable {
  /// The elements that are always lists, by the names that they have in the result.
  package var lists: Set<String> = []
  /// Prefixes by URI, in place of the document's own. An empty one means no prefix.
  package var prefixes: [String: String] = [:]

  package init() {}
}
