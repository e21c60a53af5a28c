internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage

/// The places of a step's value that are absent because what gives them failed or was skipped
/// (docs/language.md, "Names and scopes").
///
/// A value that is absent for another reason, such as an optional extractor that found nothing, is
/// not a gap.
indirect enum Gaps: Sendable {
  case none
  /// Everything absent is a gap, for this reason: "step 'find' failed".
  case everywhere(String)
  /// By the name of the member. `others` are those of all other names.
  case members([String: Gaps], others: Gaps)
  case rows(RowGaps)

  var isNone: Bool { if case .none = self { true } else { false } }

  /// Why a value at this place is absent; `nil` if it is not because of a gap.
  var cause: String? { if case .everywhere(let cause) = self { cause } else { nil } }

  /// The gaps below the place that the segments lead to.
  func below(_ segments: ArraySlice<Segment>) -> Gaps {
    segments.reduce(self) { $0.child($1) }
  }

  private func child(_ segment: Segment) -> Gaps {
    switch self {
    case .none, .everywhere: self
    case .members(let members, let others): segment.name.map { members[$0] ?? others } ?? others
    case .rows(let rows): segment.position.map { rows.gaps(at: $0) } ?? .none
    }
  }

  /// The gaps of the values that a step has after it was skipped or failed.
  ///
  /// - Parameters:
  ///   - fields: Those of the values of its `otherwise`, by name.
  static func ofFallback(
    for step: Step, _ cause: String, fields: [String: Gaps] = [:], hasError: Bool
  ) -> Gaps {
    var members = fields
    if hasError { members["error"] = Gaps.none }
    if let otherwise = step.otherwise {
      for field in otherwise where members[field.name] == nil { members[field.name] = Gaps.none }
      // A value that may be absent from a success may also be absent from `otherwise`.
      for name in step.optionalNames where members[name] == nil { members[name] = Gaps.none }
    }
    return members.isEmpty ? .everywhere(cause) : .members(members, others: .everywhere(cause))
  }
}

/// The rows of a collection whose items failed or were skipped.
struct RowGaps: Sendable {
  let step: Step
  let failed: PositionSet
  let skipped: PositionSet
  /// The number of rows.
  let count: Int

  /// The gaps of the row at a position, counted from the end if negative.
  func gaps(at position: Int) -> Gaps {
    let position = position < 0 ? count + position : position
    let name = "item \(position) of step '\(step.id.value)'"
    if skipped.contains(position) {
      return .ofFallback(for: step, "\(name) was skipped", hasError: false)
    }
    guard failed.contains(position) else { return .none }
    let cause = "\(name) failed"
    return step.onError == .recover
      ? .ofFallback(for: step, cause, hasError: true) : .everywhere(cause)
  }
}

/// Row gaps as a `forEach` over the rows sees them.
struct ItemGaps: Sendable {
  let rows: RowGaps
  /// Whether each item is the row at its own position.
  let isAligned: Bool

  func gaps(of item: JSONNode, at position: Int) -> Gaps {
    if isAligned { return rows.gaps(at: position) }
    return item.isNull
      ? .everywhere("its item of step '\(rows.step.id.value)' failed or was skipped") : .none
  }
}

/// Positions of items, as bits.
struct PositionSet: Sendable {
  private var words: [UInt64] = []

  var isEmpty: Bool { words.isEmpty }

  mutating func insert(_ position: Int) {
    while words.count <= position / 64 { words.append(0) }
    words[position / 64] |= 1 << UInt64(position % 64)
  }

  func contains(_ position: Int) -> Bool {
    position >= 0 && position / 64 < words.count
      && words[position / 64] & 1 << UInt64(position % 64) != 0
  }
}

extension Step {
  /// The extractors that may find nothing.
  fileprivate var optionalNames: [String] {
    guard case .request(let request) = action else { return [] }
    return request.extract.filter { $0.isOptional && $0.defaultValue == nil }.map(\.name)
  }
}

extension Segment {
  /// The position that the segment selects, if that is all.
  fileprivate var position: Int? {
    guard reach == .child, selectors.count == 1, case .index(let position) = selectors.first.kind
    else { return nil }
    return position
  }
}
