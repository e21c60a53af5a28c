package import PipelineJSONText

/// A value that a run is given from outside.
package struct Input: Sendable {
  /// The types that an input may have.
  package enum ValueType: String, Sendable, CaseIterable {
    case string, integer, number, boolean, array, object, date, datetime
  }

  package let name: String
  package let nameRange: Range<Int>
  package var type: ValueType?
  package var description: String?
  /// The value if none is given. A `date` or `datetime` may be `now` or `now-30d`.
  package var defaultValue: JSONNode?
  /// Absent if no value is given, rather than an error.
  package var isOptional = false
  /// The values allowed.
  package var allowed: [JSONNode] = []
  /// Shown as `•••` in all that the run prints.
  package var isSecret = false
  /// The environment variable that gives the value.
  package var variable: Written<String>?
  /// How a file that gives the value is read; `nil` if the end of its name decides.
  package var read: ResponseFormat?
  /// The whole declaration.
  package let node: JSONNode

  package init(name: String, nameRange: Range<Int>, node: JSONNode) {
    self.name = name
    self.nameRange = nameRange
    self.node = node
  }

  /// A value must be given, or the run is refused.
  package var isRequired: Bool { defaultValue == nil && !isOptional }
}
