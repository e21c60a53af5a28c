public import JSONText

/// A value that a successful run leaves to the next run.
public struct StateValue: Sendable {
  public let name: String
  public let nameRange: Range<Int>
  public var type: Input.ValueType?
  public var description: String?
  /// The value before any run has left one; a `date` or `datetime` may be `now` or `now-30d`.
  public var defaultValue: JSONNode?
  /// The value after a successful run.
  public var next: Field?
  /// The whole declaration.
  public let node: JSONNode

  public init(name: String, nameRange: Range<Int>, node: JSONNode) {
    self.name = name
    self.nameRange = nameRange
    self.node = node
  }
}
