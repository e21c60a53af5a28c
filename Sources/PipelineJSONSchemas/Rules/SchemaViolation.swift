/// Something in a value that its schema does not allow.
package struct SchemaViolation: Sendable, Hashable {
  /// Where in the value: a normalized path (RFC 9535 §2.7), `$['data']['id']`.
  package let instancePath: String
  /// The keyword that does not hold: `type`.
  package let keyword: String
  /// The keyword's demand, in bytes of the schema's document.
  package let schemaRange: Range<Int>
  /// One phrase without a period: `'$.data.id' must be a string, and is a number: 7`.
  package let message: String
}
