/// A set of Unicode scalars: a character, `.`, `[a-z]`, `\p{Lu}`.
struct ScalarSet: Sendable, Hashable {
  /// The members below 128, a bit each.
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  private var ranges: [ClosedRange<UInt32>] = []
  private var categories: [CategoryTest] = []
  private var properties: [ScalarProperty] = []
  private var parts: [ScalarSet] = []
  private(set) var isNegated = false

  /// `\p{…}` or, negated, `\P{…}`.
  private struct CategoryTest: Sendable, Hashable {
    let members: Set<Unicode.GeneralCategory>
    let isNegated: Bool
  }

  init() {}

  init(_ scalar: UInt32) { insert(scalar...scalar) }

  /// `.`: all but line feed and carriage return.
  static let dot: ScalarSet = {
    var set = ScalarSet()
    set.insert(0x0A...0x0A)
    set.insert(0x0D...0x0D)
    set.negate()
    return set
  }()

  mutating func insert(_ range: ClosedRange<UInt32>) {
    if range.lowerBound < 128 {
      for scalar in range.lowerBound...min(range.upperBound, 127) { setLow(scalar) }
    }
    if range.upperBound >= 128 { ranges.append(max(range.lowerBound, 128)...range.upperBound) }
  }

  mutating func insert(category members: Set<Unicode.GeneralCategory>, negated: Bool) {
    let test = CategoryTest(members: members, isNegated: negated)
    categories.append(test)
    for value in UInt32(0)..<128 where Self.holds(test, value) { setLow(value) }
  }

  mutating func insert(_ property: ScalarProperty) {
    properties.append(property)
    for value in UInt32(0)..<128 where property.holds(value) { setLow(value) }
  }

  /// The members of another set, which may be a negated one.
  mutating func insert(_ set: ScalarSet) {
    low |= set.low
    high |= set.high
    parts.append(set)
  }

  mutating func negate() {
    isNegated.toggle()
    low = ~low
    high = ~high
  }

  private mutating func setLow(_ scalar: UInt32) {
    if scalar < 64 { low |= 1 << UInt64(scalar) } else { high |= 1 << UInt64(scalar - 64) }
  }

  func contains(_ scalar: UInt32) -> Bool {
    if scalar < 64 { return low >> UInt64(scalar) & 1 != 0 }
    if scalar < 128 { return high >> UInt64(scalar - 64) & 1 != 0 }
    for range in ranges where range.contains(scalar) { return !isNegated }
    for test in categories where Self.holds(test, scalar) { return !isNegated }
    for property in properties where property.holds(scalar) { return !isNegated }
    for part in parts where part.contains(scalar) { return !isNegated }
    return isNegated
  }

  private static func holds(_ test: CategoryTest, _ value: UInt32) -> Bool {
    guard let scalar = Unicode.Scalar(value) else { return false }
    return test.members.contains(scalar.properties.generalCategory) != test.isNegated
  }
}

/// The general categories that `\p{…}` of RFC 9485 names.
enum ScalarCategory {
  /// The members of a category or of a group of them: `Lu`, or `L` for all letters.
  static func named(_ name: String) -> Set<Unicode.GeneralCategory>? {
    if let one = byName[name] { return [one] }
    guard name.count == 1 else { return nil }
    let group = byName.filter { $0.key.hasPrefix(name) }.map(\.value)
    return group.isEmpty ? nil : Set(group)
  }

  // `Cs` is not in RFC 9485: text holds no surrogates.
  private static let byName: [String: Unicode.GeneralCategory] = [
    "Ll": .lowercaseLetter, "Lm": .modifierLetter, "Lo": .otherLetter, "Lt": .titlecaseLetter,
    "Lu": .uppercaseLetter,
    "Mc": .spacingMark, "Me": .enclosingMark, "Mn": .nonspacingMark,
    "Nd": .decimalNumber, "Nl": .letterNumber, "No": .otherNumber,
    "Pc": .connectorPunctuation, "Pd": .dashPunctuation, "Pe": .closePunctuation,
    "Pf": .finalPunctuation, "Pi": .initialPunctuation, "Po": .otherPunctuation,
    "Ps": .openPunctuation,
    "Zl": .lineSeparator, "Zp": .paragraphSeparator, "Zs": .spaceSeparator,
    "Sc": .currencySymbol, "Sk": .modifierSymbol, "Sm": .mathSymbol, "So": .otherSymbol,
    "Cc": .control, "Cf": .format, "Cn": .unassigned, "Co": .privateUse,
  ]
}
