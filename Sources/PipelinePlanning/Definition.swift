package import PipelineLanguage

/// The meaning of a name of the scope, seen from the step that reads it.
///
/// `level` counts blocks outwards. 0 is the block that contains the step, or for loop names the
/// step's own `forEach` or `repeat`. 1 is the block around it, or that of the step around it.
package enum Definition: Sendable, Hashable {
  case inputs
  /// The state that the last successful run left.
  case state
  /// `run`: its id and start, and in `finally` how it went.
  case run
  /// The values of a step, by its number in its block.
  case step(level: Int, index: Int)
  /// The item of a `forEach`.
  case item(level: Int)
  /// The number of the item, from 0.
  case itemIndex(level: Int)
  /// A value that a round of a `repeat` carries.
  case carried(level: Int, name: String)
  /// A value that the page before has handed to the step's own request.
  case pageValue(name: String)

  /// The same thing seen from one block further out; `nil` if it is not visible there.
  var fromOutside: Definition? {
    switch self {
    case .inputs, .state, .run: self
    case .pageValue: nil
    case .step(let level, let index): level > 0 ? .step(level: level - 1, index: index) : nil
    case .item(let level): level > 0 ? .item(level: level - 1) : nil
    case .itemIndex(let level): level > 0 ? .itemIndex(level: level - 1) : nil
    case .carried(let level, let name): level > 0 ? .carried(level: level - 1, name: name) : nil
    }
  }
}

/// A use and its definition.
package struct ResolvedUse: Sendable {
  package let use: Use
  /// The name that the use begins with.
  package let name: String
  package let outcome: Outcome

  package enum Outcome: Sendable, Hashable {
    case found(Definition)
    /// No visible thing has this name.
    case unknown
    /// The step reads itself, or the block step around it.
    case itself
    /// A step before `finally` reads a `finally` step.
    case runsLater
  }

  package var definition: Definition? {
    if case .found(let definition) = outcome { definition } else { nil }
  }
}
