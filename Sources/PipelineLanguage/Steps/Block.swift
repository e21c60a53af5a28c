/// Steps that share a scope: a whole file, or the steps inside one step.
package struct Block: Sendable {
  /// The rule for the order of a block's steps.
  package enum Order: String, Sendable, CaseIterable {
    /// Only dependencies.
    case graph
    /// Each step also follows the previous one.
    case listed
  }

  package var order = Order.graph
  package var steps: [Step] = []
  /// Steps that run once after the others, however these ended.
  package var finally: [Step] = []
  /// The outputs of the block; `nil` for each step's values, by its id.
  package var outputs: [Field]?
  /// What is carried on, by name: the next state, of the file or of an item, after a successful run,
  /// or in a block with `repeat` the values of the next round.
  package var next: [Field] = []
  /// The state of a block with `forEach`: each item has its own values.
  package var itemState: [StateValue] = []
  /// Whether the steps are the branches of a choice. The first whose `when` holds is carried out,
  /// and its values are those of the block. None of them sees the others.
  package var isChoice = false
  /// Whether it is a choice that may carry out none of its branches.
  package var mayChooseNone: Bool { isChoice && steps.last?.when != nil }
  /// Whether `state` is a name of the scope: in a file that keeps some, here or for items.
  package var keepsState = false

  package init() {}
}
