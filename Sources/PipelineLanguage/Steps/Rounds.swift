package import PipelineJSONText
package import PipelineTemplates

/// `repeat`: rounds of a block, one after the other, and the values that each carries to the next.
package final class Rounds: Sendable {
  /// A value of a round, which may come from the round before.
  package struct CarriedValue: Sendable {
    package let name: String
    package let nameRange: Range<Int>
    package let type: Input.ValueType?
    /// The value of the first round; `nil` if it is absent there.
    package let first: DataTemplate?
    /// The value of the following round; `nil` if it could not be read.
    package let next: Field?
  }

  package let carried: [CarriedValue]
  /// A round beyond it fails.
  package let maxRounds: Int
  /// The pause before each round but the first.
  package let every: Written<Template>?
  package let node: JSONNode

  init(
    carried: [CarriedValue], maxRounds: Int, every: Written<Template>?, node: JSONNode
  ) {
    self.carried = carried
    self.maxRounds = maxRounds
    self.every = every
    self.node = node
  }

  /// The names of the carried values.
  package var names: [String] { carried.map(\.name) }

  /// Whether a carried value has this name.
  package func carries(_ name: String) -> Bool { carried.contains { $0.name == name } }
}
