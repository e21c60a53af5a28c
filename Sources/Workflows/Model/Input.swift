public import JSONText

/// A value that a run is given from outside.
public struct Input: Sendable {
  /// The types that an input may have.
  public enum ValueType: String, Sendable, CaseIterable {
    case string, integer, number, boolean, array, object, date, datetime
  }

  public let name: String
  public let nameRange: Range<Int>
  public var type: ValueType?
  public var description: String?
  /// The value where none is given; a `date` or `datetime` may be `now` or `now-30d`.
  public var defaultValue: JSONNode?
  /// Absent where no value is given, rather than an error.
  public var isOptional = false
  /// The values allowed.
  public var allowed: [JSONNode] = []
  /// Shown as `•••` in all that the run prints.
  public var isSecret = false
  /// The environment variable that gives the value.
  public var variable: Written<String>?
  /// The whole declaration.
  public let node: JSONNode

  public init(name: String, nameRange: Range<Int>, node: JSONNode) {
    self.name = name
    self.nameRange = nameRange
    self.node = node
  }

  /// A value must be given, or the run is refused.
  public var isRequired: Bool { defaultValue == nil && !isOptional }
}
