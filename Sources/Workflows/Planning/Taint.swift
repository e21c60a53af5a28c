import JSONPaths

/// Which parts of a value are secret.
public struct Taint: Sendable, Hashable {
  /// The whole value is secret.
  public private(set) var isWhole: Bool
  /// Members that hold a secret; of a list: of each element.
  public private(set) var members: [String: Taint]

  public static let none = Taint(isWhole: false, members: [:])
  public static let whole = Taint(isWhole: true, members: [:])

  init(isWhole: Bool, members: [String: Taint]) {
    self.isWhole = isWhole
    self.members = members
  }

  /// Members without a secret are left out.
  init(members: [String: Taint]) {
    self.init(isWhole: false, members: members.filter { !$0.value.isNone })
  }

  public var isNone: Bool { !isWhole && members.isEmpty }

  /// The taint of what the segments of a query select. Positions and wildcards stay at the
  /// element, which shares its list's taint; a descendant segment may reach anything.
  func selected(by segments: some Sequence<Segment>) -> Taint {
    var taint = self
    for segment in segments {
      if taint.isWhole || taint.isNone { return taint }
      if segment.reach == .descendant { return .whole }
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
    return Taint(
      isWhole: false, members: members.merging(other.members) { $0.union($1) })
  }
}
