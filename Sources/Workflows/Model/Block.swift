public import JSONText
public import Templates

/// Steps that share a scope: a whole file, or the steps inside of one step.
public struct Block: Sendable {
  /// What orders the steps of a block.
  public enum Order: String, Sendable, CaseIterable {
    /// Only dependencies.
    case graph
    /// Each step also follows the one before it.
    case listed
  }

  public var order = Order.graph
  public var steps: [Step] = []
  /// Steps that run once after the others, however those ended.
  public var finally: [Step] = []
  /// What the block returns; `nil`: each step's values, by its id.
  public var outputs: [Field]?
  /// What the file's state becomes, by name, when the run has succeeded; empty in a step's block.
  public var next: [Field] = []
  /// Whether the steps are the branches of a choice: the first whose `when` holds is carried out,
  /// and its values are those of the block. None of them sees the others.
  public var isChoice = false
  /// Whether it is a choice that may carry out none of its branches.
  public var mayChooseNone: Bool { isChoice && steps.last?.when != nil }
  /// Whether `state` is a name of the scope: in a file that keeps some.
  public var keepsState = false

  public init() {}
}

/// A named value that a workflow makes: a member of `values`, `outputs`, `otherwise`, `inputs`.
public struct Field: Sendable {
  public let name: String
  public let nameRange: Range<Int>
  public let value: DataTemplate
  /// Whether an output that is secret is shown all the same.
  public var isRevealed = false
  public let node: JSONNode

  public init(name: String, nameRange: Range<Int>, value: DataTemplate, node: JSONNode) {
    self.name = name
    self.nameRange = nameRange
    self.value = value
    self.node = node
  }
}
