internal import JSONText

/// An object that the language defines: its keys, and which of them go together.
///
/// These tables are the one description of the language: they decide what the decoder accepts and
/// what it says of the rest, and they print the reference of docs/language.md.
public final class LanguageObject: Sendable {
  /// Every object of the language.
  public enum Kind: String, Sendable, CaseIterable {
    case file, base, input, defaults, limits, output, lint
    case step, range
    case parameter, auth, credentials, oauth2, awsSigV4, tls
    case body, part, graphql
    case extractor, expect, check
    case paginate, poll, retry
  }

  /// Keys of which an object has at most one, or exactly one.
  public struct Choice: Sendable {
    public let keys: [String]
    public let isRequired: Bool
    /// The keys as a set.
    fileprivate(set) var set = KeySet([])

    init(keys: [String], isRequired: Bool) {
      self.keys = keys
      self.isRequired = isRequired
    }
  }

  /// Keys of a table by their positions. No table has more keys than there are bits.
  struct KeySet {
    private var bits: UInt64 = 0

    init(_ positions: some Sequence<Int>) {
      for position in positions { bits |= 1 << UInt64(position) }
    }

    private init(bits: UInt64) { self.bits = bits }

    var count: Int { bits.nonzeroBitCount }

    func intersection(_ other: KeySet) -> KeySet { KeySet(bits: bits & other.bits) }

    func subtracting(_ other: KeySet) -> KeySet { KeySet(bits: bits & ~other.bits) }

    /// The positions in ascending order.
    var positions: [Int] {
      var positions: [Int] = []
      var rest = bits
      while rest != 0 {
        positions.append(rest.trailingZeroBitCount)
        rest &= rest - 1
      }
      return positions
    }
  }

  public let kind: Kind
  /// What one is called: `step`.
  public let title: String
  /// Where one stands, for an author who put its key elsewhere: `in a step`.
  public let place: String
  public let keys: [LanguageKey]
  public let choices: [Choice]

  /// For each key its mark.
  let marks: [UInt16]
  /// For each key its name in UTF-8.
  private let names: [[UInt8]]
  /// The keys that must be there.
  let required: KeySet
  /// For each key the one that must stand beside it.
  let companions: [String?]
  /// For each key the actions that it may stand beside.
  let actions: [Set<LanguageAction>?]
  /// For each key whether it may stand beside each action: `actions`, at hand.
  private let allowed: [[Bool]]

  init(
    _ kind: Kind, _ title: String, place: String, keys: [LanguageKey], choices: [Choice] = []
  ) {
    self.kind = kind
    self.title = title
    self.place = place
    self.keys = keys
    let indexes = Dictionary(
      keys.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    names = keys.map { Array($0.name.utf8) }
    marks = names.map { Self.mark(ofUTF8: $0) }
    self.choices = choices.map { choice in
      var choice = choice
      choice.set = KeySet(choice.keys.compactMap { indexes[$0] })
      return choice
    }
    required = KeySet(keys.indices.filter { keys[$0].isRequired })
    companions = keys.map(\.companion)
    actions = keys.map(\.actions)
    allowed = keys.map { key in
      LanguageAction.allCases.map { action in key.actions?.contains(action) ?? true }
    }
  }

  /// Whether the key at a position may stand beside an action.
  func allows(_ key: Int, beside action: LanguageAction) -> Bool { allowed[key][action.number] }

  /// The position of a key in `keys`.
  func index(of name: String) -> Int? { index(ofUTF8: name.utf8) }

  /// The position of the key that a member has.
  func index(of member: JSONMember) -> Int? { member.withNameUTF8 { index(ofUTF8: $0) } }

  private func index(ofUTF8 name: some Collection<UInt8>) -> Int? {
    let mark = Self.mark(ofUTF8: name)
    return marks.indices.first { marks[$0] == mark && names[$0].elementsEqual(name) }
  }

  /// Length and first byte of a name: most keys differ in these, so that one is found among few dozen
  /// sooner than a hash is made.
  static func mark(ofUTF8 name: some Collection<UInt8>) -> UInt16 {
    name.first.map { UInt16(truncatingIfNeeded: name.count) << 8 | UInt16($0) } ?? 0
  }

  static func mark(of name: String) -> UInt16 {
    name.utf8.withContiguousStorageIfAvailable { mark(ofUTF8: $0) } ?? mark(ofUTF8: name.utf8)
  }

  /// The key of this name.
  public subscript(_ name: String) -> LanguageKey? { index(of: name).map { keys[$0] } }

  /// Whether every object takes this key, to no effect on the run.
  static func isIgnored(_ name: String) -> Bool {
    name.utf8.first == UInt8(ascii: "$")
      ? name == "$schema" || name == "$comment" : name.hasPrefix("x-")
  }

  /// The objects that have a key of this name.
  static let owners: [String: [Kind]] = {
    var owners: [String: [Kind]] = [:]
    for kind in Kind.allCases where kind != .base {
      for key in kind.object.keys { owners[key.name, default: []].append(kind) }
    }
    return owners
  }()
}

extension LanguageObject.Kind {
  /// The table of this object.
  public var object: LanguageObject {
    switch self {
    case .file: .file
    case .base: .base
    case .input: .input
    case .defaults: .defaults
    case .limits: .limits
    case .output: .output
    case .lint: .lint
    case .step: .step
    case .range: .range
    case .parameter: .parameter
    case .auth: .auth
    case .credentials: .credentials
    case .oauth2: .oauth2
    case .awsSigV4: .awsSigV4
    case .tls: .tls
    case .body: .body
    case .part: .part
    case .graphql: .graphql
    case .extractor: .extractor
    case .expect: .expect
    case .check: .check
    case .paginate: .paginate
    case .poll: .poll
    case .retry: .retry
    }
  }
}
