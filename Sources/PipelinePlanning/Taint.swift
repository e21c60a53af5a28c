package import PipelineJSONPaths

/// Which parts of a value are secret.
///
/// It has few enough parts to be compared and joined at once. If a value has more, each member is
/// secret as a whole.
package struct Taint: Sendable, Hashable {
  /// The whole value is secret.
  package private(set) var isWhole: Bool
  /// Members that hold a secret; of a list, those of each element.
  package private(set) var members: [String: Taint]
  /// The number of members, at any depth.
  private let size: Int

  /// The maximum number of members distinguished at any depth. Those of the value itself always
  /// are.
  private static let sizeLimit = 1024

  package static let none = Taint(isWhole: false, members: [:])
  package static let whole = Taint(isWhole: true, members: [:])

  private init(isWhole: Bool, members: [String: Taint]) {
    self.isWhole = isWhole
    let size = members.values.reduce(members.count) { $0 + $1.size }
    let isLarge = size > Self.sizeLimit && size > members.count
    self.members = isLarge ? members.mapValues { $0.isNone ? .none : .whole } : members
    self.size = isLarge ? members.count : size
  }

  /// Members without a secret are left out.
  init(members: [String: Taint]) {
    self.init(isWhole: false, members: members.filter { !$0.value.isNone })
  }

  package var isNone: Bool { !isWhole && members.isEmpty }

  /// The taint of a member.
  func member(_ name: String) -> Taint { isWhole ? .whole : members[name] ?? .none }

  /// The taint of the values that the segments of a query select. Positions and wildcards stay at
  /// the element, which shares its list's taint. A descendant segment may reach anything.
  package func selected(by segments: some Sequence<Segment>) -> Taint {
    var taint = self
    for segment in segments {
      if taint.isWhole || taint.isNone { return taint }
      if segment.reach == .descendant { return .whole }
      // Whichever member a computed key names.
      if !segment.keys.isEmpty { return .whole }
      let names = segment.selectors.compactMap { selector in
        if case .name(let name) = selector.kind { name.text } else { nil as String? }
      }
      if names.isEmpty { continue }
      if names.count < segment.selectors.count { return .whole }
      taint = names.reduce(.none) { $0.union(taint.members[$1] ?? .none) }
    }
    return taint
  }

  func union(_ other: Taint) -> Taint {
    if isWhole || other.isWhole { return .whole }
    if isNone { return other }
    if other.isNone { return self }
    return Taint(
      isWhole: false, members: members.merging(other.members) { $0.union($1) })
  }
}
