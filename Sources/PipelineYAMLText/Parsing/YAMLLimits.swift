/// How much of a text is read. A text beyond a limit is refused, and never read in part.
package struct YAMLLimits: Sendable, Hashable {
  /// The maximum length of the text, and of the JSON that it stands for, in bytes.
  package var size: Int
  /// How deep sequences and mappings may nest. At most 256.
  package var depth: Int
  /// How many values all aliases and merge keys together may repeat.
  package var repeatedValues: Int

  /// The given limits. A depth above 256 counts as 256.
  package init(size: Int = 128 << 20, depth: Int = 256, repeatedValues: Int = 1_000_000) {
    self.size = min(size, 1 << 31)
    self.depth = min(depth, 256)
    self.repeatedValues = repeatedValues
  }
}
