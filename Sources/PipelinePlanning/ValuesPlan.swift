import PipelineJSONPaths
package import PipelineJSONText
import PipelineLanguage
package import PipelineTemplates

/// The values of a `values` step, each member with its source.
///
/// Most values are a constant, or one name of a value that the step reads. Here each such member is
/// a few words in one array. Its template, its query and their parts are in ten places in memory.
/// If the plan is larger than the cache, reading them costs more than writing the value.
package struct ValuesPlan: Sendable {
  /// As written, in one array with the members of all steps of the block.
  package let members: ArraySlice<Member>

  package struct Member: Sendable {
    package let name: String
    package let source: Source
    /// The number under which a run keeps the value; `nil` if no `values` step reads it.
    package fileprivate(set) var number: Int32?
    /// The number of the member that this one is the value of; `nil` if it is none's.
    package fileprivate(set) var sourceNumber: Int32?
  }

  package enum Source: Sendable {
    case scalar(ShortScalar)
    /// Another constant.
    case constant(JSONNode)
    /// The member of that name of a value, given by its number among the step's shared reads.
    case member(name: String, read: Int)
    /// Anything else.
    case data(DataTemplate)
  }
}

extension ValuesPlan.Member {
  fileprivate var isAtHand: Bool {
    switch source {
    case .scalar: true
    case .member: sourceNumber != nil
    case .constant, .data: false
    }
  }
}

extension ValuesPlan.Source {
  init(_ data: DataTemplate, _ reads: [Read]) {
    if let node = data.literal {
      self = ShortScalar(node).map { .scalar($0) } ?? .constant(node)
    } else if let query = data.wholeReference, let (first, second) = query.namePair,
      let read = reads.firstIndex(where: { $0.name == first })
    {
      self = .member(name: second, read: read)
    } else {
      self = .data(data)
    }
  }
}

extension Query {
  /// `list` and `ids` of `$.list.ids`, if that is the whole query and stands for a member of the
  /// value `list`: `error` may be another thing.
  fileprivate var namePair: (first: String, second: String)? {
    guard anchor == .root, segments.count == 2, let first = firstName,
      let second = segments[1].name, second != "error"
    else { return nil }
    return (first, second)
  }
}

/// The plans of a block's `values` steps, which are made together since they read each other.
package struct BlockValues: Sendable {
  /// The number of members that have a number.
  package private(set) var keptCount = 0
  private var members: [ValuesPlan.Member] = []
  /// Where the members of each step begin, and the end of the last.
  private var starts = [0]
  /// Whether each step gives only short constants and values that a run may keep.
  private var areAtHand: [Bool] = []

  /// - Parameter sharedReads: The reads that are the same for all items, of each step.
  init(_ steps: [Step], sharedReads: [[Read]]) {
    starts.reserveCapacity(steps.count + 1)
    for (step, reads) in zip(steps, sharedReads) {
      if case .values(let fields) = step.action {
        members += fields.map { field in
          ValuesPlan.Member(name: field.name, source: ValuesPlan.Source(field.value, reads))
        }
      }
      starts.append(members.count)
    }
    for (step, reads) in zip(steps.indices, sharedReads) where steps[step].isPlainValues {
      for place in range(step) { link(place, reads, steps) }
    }
    areAtHand = steps.indices.map { step in
      steps[step].isPlainValues && steps[step].dependsOn.isEmpty
        && members[range(step)].allSatisfy(\.isAtHand)
    }
  }

  subscript(_ step: Int) -> ValuesPlan { ValuesPlan(members: members[range(step)]) }

  /// The values of a step, if all are short constants or short values kept under numbers. Then the
  /// run need not read the rest of the plan, which is most of the cost of such a step.
  package func atHand(_ step: Int) -> ValuesPlan? { areAtHand[step] ? self[step] : nil }

  private func range(_ step: Int) -> Range<Int> { starts[step]..<starts[step + 1] }

  /// Finds the number of another step's member that is the one at `place`, if it is kept.
  private mutating func link(_ place: Int, _ reads: [Read], _ steps: [Step]) {
    guard case .member(let name, let read) = members[place].source,
      case .step(level: 0, let from) = reads[read].definition, steps[from].isPlainValues,
      let source = range(from).first(where: { members[$0].name == name })
    else { return }
    if members[source].number == nil {
      members[source].number = Int32(clamping: keptCount)
      keptCount += 1
    }
    members[place].sourceNumber = members[source].number
  }
}

extension Step {
  /// Whether it gives values once, and nothing judges them, so that it ends at once.
  var isPlainValues: Bool {
    guard case .values = action else { return false }
    return forEach == nil && when == nil && expect.checks.isEmpty
  }

  /// The text of one of the step's values, or the step itself if it has none.
  package func node(ofValue number: Int) -> JSONNode {
    guard case .values(let fields) = action, number < fields.count else { return node }
    return fields[number].value.node
  }
}
