package import PipelineByteText
package import PipelineLanguage
import PipelinePlanning

/// The part of a run that one process carries out while others carry out the rest.
///
/// The process is given a journal that holds all units of the parts before it, failed ones too. It
/// takes them all, computes again what follows from them, and carries out its own units alone. So
/// one scheduler decides what is skipped, recovered or not carried out, in one process and in many.
package struct RunPart: Sendable, Hashable {
  package enum Work: Sendable, Hashable {
    /// A step of the file itself: with all that is inside it, if it is a block or a call.
    case step(String)
    /// The end of the run: `finally` steps and outputs.
    case finish
  }

  /// The items of a collection that a process carries out: `index`, `index + count` and so on, the
  /// first item being number 1.
  package struct Shard: Sendable, Hashable {
    package let index: Int
    package let count: Int

    /// All items.
    package static let whole = Shard(index: 1, count: 1)
    /// No item: to find out how many there are.
    package static let none = Shard(index: 0, count: 1)

    package init(index: Int, count: Int) {
      self.index = index
      self.count = count
    }

    /// - Parameter item: Its position, from 0.
    package func holds(_ item: Int) -> Bool { item % count == index - 1 }

    /// How many of the first `items` items it has.
    func count(of items: Int) -> Int { items <= first ? 0 : (items - first - 1) / count + 1 }

    /// The position of its first item, from 0.
    var first: Int { index > 0 ? index - 1 : .max }
  }

  package let work: Work
  package let shard: Shard
  /// The process's share of the limits.
  package let share: Share
  /// The ids of collections before the step from which the part needs only the items at its own
  /// positions: `Plan.collectionsItemByItem`. All of their items have ended well.
  package var itemByItem: Set<ExactText> = []

  package init(_ work: Work, shard: Shard = .whole, share: Share = .whole) {
    self.work = work
    self.shard = shard
    self.share = share
  }

  /// The steps of the file that this part may carry out.
  func ownSteps(of plan: Plan) -> Set<ExactText> {
    switch work {
    case .step(let id): [ExactText(id)]
    case .finish: Set(plan.root.block.finally.map { ExactText($0.id.value) })
    }
  }

  /// The items of a step that this process looks at.
  ///
  /// - Parameter step: A step of the file itself.
  func items(of step: Step) -> Shard {
    guard shard != .whole, let iteration = step.forEach, iteration.rounds == nil,
      case .step(let id) = work
    else { return .whole }
    let isOwn = step.id.value.equals(bytes: id)
    return isOwn || itemByItem.contains(ExactText(step.id.value)) ? shard : .whole
  }
}
