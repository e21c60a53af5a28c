/// Something in a value that its schema does not allow.
public struct SchemaViolation: Sendable, Hashable {
  /// Where in the value: a normalized path (RFC 9535 §2.7), `$['data']['id']`.
  public let instancePath: String
  /// The keyword that does not hold: `type`.
  public let keyword: String
  /// What the keyword asks, in bytes of the schema's document.
  public let schemaRange: Range<Int>
  /// One phrase without a period: `'$.data.id' must be a string, and is a number: 7`.
  public let message: String
}
