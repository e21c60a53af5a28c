package import PipelineJSONText

/// The known facts about a value before any run (language.md §5).
package struct ValueShape: Sendable, Equatable {
  /// The JSON type, if known.
  package indirect enum Content: Sendable, Equatable {
    case unknown
    case string, integer, number, boolean, null
    case list(ValueShape)
    /// `isOpen`: it may have further members.
    case object(ShapeMembers, isOpen: Bool)
    /// A value of one of several types.
    case choice([ValueShape])
  }

  package var content: Content {
    get { source?.content ?? known }
    set { (known, source) = (newValue, nil) }
  }
  private var known: Content
  /// Who knows the content, if it is worked out only when it is asked for.
  package private(set) var source: (any ShapeSource)?
  package var maybeAbsent: Bool
  package var maybeNull: Bool
  /// Whether the value is, or is made of, a secret.
  package var isSecret = false
  /// Whether it may be a list of such values instead.
  package var maybeList = false
  /// What a text says of time, if it is known to say that.
  package var time: Time?
  /// Whether `error` may be asked of it, though it is a list: the rows of a collection.
  package var hasError = false

  package enum Time: Sendable, Equatable {
    /// A `full-date` of RFC 3339.
    case date
    /// A `date-time` of RFC 3339.
    case moment
  }

  package init(_ content: Content, maybeAbsent: Bool = false, maybeNull: Bool = false) {
    known = content
    self.maybeAbsent = maybeAbsent
    self.maybeNull = maybeNull
  }

  /// A value whose types a source knows, but not its presence.
  package init(_ source: any ShapeSource) {
    self.init(.unknown, maybeAbsent: true, maybeNull: true)
    self.source = source
  }

  /// A completely unknown value, which may not even exist.
  package static let unknown = ValueShape(.unknown, maybeAbsent: true, maybeNull: true)
  /// A value that exists, of any type.
  package static let present = ValueShape(.unknown, maybeAbsent: false, maybeNull: true)
  /// A value that is never there. A union with it is the other one, which may be absent.
  package static let nothing = ValueShape(.null, maybeAbsent: true)
  package static let string = ValueShape(.string)
  package static let date = ValueShape.string.time(.date)
  package static let moment = ValueShape.string.time(.moment)
  package static let integer = ValueShape(.integer)
  package static let number = ValueShape(.number)
  package static let boolean = ValueShape(.boolean)

  package static func list(_ element: ValueShape) -> ValueShape { ValueShape(.list(element)) }

  package static func object(_ members: ShapeMembers, isOpen: Bool = false) -> ValueShape {
    ValueShape(.object(members, isOpen: isOpen))
  }

  package func absent(_ isMaybeAbsent: Bool = true) -> ValueShape {
    var shape = self
    shape.maybeAbsent = maybeAbsent || isMaybeAbsent
    return shape
  }

  /// The same value, which exists.
  package var absentNever: ValueShape {
    var shape = self
    shape.maybeAbsent = false
    return shape
  }

  /// Such a value, or a list of them.
  package func list(_ isMaybeList: Bool) -> ValueShape {
    var shape = self
    shape.maybeList = isMaybeList
    return shape
  }

  package func secret(_ isSecret: Bool = true) -> ValueShape {
    var shape = self
    shape.isSecret = self.isSecret || isSecret
    return shape
  }

  /// The same value, whose text says this.
  package func time(_ time: Time?) -> ValueShape {
    var shape = self
    shape.time = time
    return shape
  }

  /// Whether it is never there, as far as is known.
  package var isNothing: Bool { self == .nothing || self == .nothing.secret() }

  package func nullable(_ isMaybeNull: Bool = true) -> ValueShape {
    var shape = self
    shape.maybeNull = maybeNull || isMaybeNull
    return shape
  }

  /// The shape of a JSON value that an author wrote, taken literally.
  package init(literal node: JSONNode) {
    switch node.kind {
    case .string: self = .string
    case .number: self = node.number?.isInteger == true ? .integer : .number
    case .boolean: self = .boolean
    case .null: self = ValueShape(.null, maybeNull: true)
    case .array:
      self = .list(.union(of: node.elements.map { ValueShape(literal: $0) }))
    case .object:
      self = .object(ShapeMembers(node.members.map { ($0.name, ValueShape(literal: $0.value)) }))
    }
  }

  /// The shape of a value that has one of some shapes.
  package static func union(of shapes: some Collection<ValueShape>) -> ValueShape {
    shapes.dropFirst().reduce(shapes.first ?? .present) { $0.union($1) }
  }

  /// The shape of a value that has one of two shapes.
  package func union(_ other: ValueShape) -> ValueShape {
    var shape: ValueShape
    if isUnknown || other.isUnknown {
      shape = ValueShape(.unknown)
    } else if let source, other.source.map({ source.isSame(as: $0) || source.includes($0) }) == true
    {
      shape = self
    } else if source == nil, case .null = known {
      shape = other
    } else if other.source == nil, case .null = other.known {
      shape = self
    } else if source != nil || other.source != nil {
      // Not at once: a shape of a source may have no end.
      shape = ValueShape(UnionSource(self, other))
    } else {
      shape = ValueShape(Self.union(content, other.content))
    }
    shape.maybeAbsent = maybeAbsent || other.maybeAbsent
    shape.maybeNull = maybeNull || other.maybeNull
    shape.isSecret = isSecret || other.isSecret
    if source == nil, case .null = known {
      shape.time = other.time
    } else if other.source == nil, case .null = other.known {
      shape.time = time
    } else {
      shape.time = time == other.time ? time : nil
    }
    if shape.source == nil, case .unknown = shape.content { return shape }
    shape.maybeList = maybeList || other.maybeList
    return shape
  }

  /// Whether nothing is known, and nothing can be looked up.
  private var isUnknown: Bool {
    if source == nil, case .unknown = known { true } else { false }
  }

  package static func == (one: ValueShape, two: ValueShape) -> Bool {
    guard one.maybeAbsent == two.maybeAbsent, one.maybeNull == two.maybeNull,
      one.isSecret == two.isSecret, one.maybeList == two.maybeList, one.time == two.time,
      one.hasError == two.hasError
    else { return false }
    switch (one.source, two.source) {
    case (nil, nil): return one.known == two.known
    case (let source?, let other?): return source.isSame(as: other)
    default: return false
    }
  }

  static func union(_ one: Content, _ two: Content) -> Content {
    let content: Content
    switch (one, two) {
    case (.string, .string): content = .string
    case (.integer, .integer): content = .integer
    case (.integer, .number), (.number, .integer), (.number, .number): content = .number
    case (.boolean, .boolean): content = .boolean
    case (.null, let one), (let one, .null): content = one
    case (.list(let one), .list(let two)): content = .list(one.union(two))
    case (.object(let one, let isOpen), .object(let two, let isOtherOpen)):
      // An object that may have further members may have this one, of any type.
      var members = one.mapShapes { isOtherOpen ? .unknown.secret($0.isSecret) : $0.absent() }
      for (name, shape) in two.list {
        members[name] =
          one[name].map { $0.union(shape) }
          ?? (isOpen ? .unknown.secret(shape.isSecret) : shape.absent())
      }
      content = .object(members, isOpen: isOpen || isOtherOpen)
    default: content = .unknown
    }
    return content
  }

  // MARK: - What comparisons ask

  /// The JSON type, if it is certain. A value that may be `null`, or a list instead, has none.
  package var kind: JSONKind? {
    if case .null = content { return .null }
    guard !maybeNull, !maybeList else { return nil }
    return contentKind
  }

  /// Whether it is certain that the value does not have a type, even if it may be `null`.
  package func isNever(_ wanted: JSONKind) -> Bool {
    guard let kinds = possibleKinds else { return false }
    return !kinds.contains(wanted) && (kind != nil || source != nil)
  }

  /// The JSON types that the value may have; `nil` for any.
  package var possibleKinds: Set<JSONKind>? {
    var kinds: Set<JSONKind> = []
    if case .choice(let shapes) = content {
      for shape in shapes {
        guard let own = shape.possibleKinds else { return nil }
        kinds.formUnion(own)
      }
    } else {
      guard let kind = contentKind else { return nil }
      kinds = [kind]
    }
    if maybeList { kinds.insert(.array) }
    if maybeNull { kinds.insert(.null) }
    return kinds
  }

  /// The JSON type of the value if it is not `null`, and no list of such values.
  package var contentKind: JSONKind? {
    switch content {
    case .unknown, .choice: nil
    case .string: .string
    case .integer, .number: .number
    case .boolean: .boolean
    case .null: .null
    case .list: .array
    case .object: .object
    }
  }

  package var isList: Bool {
    if case .list = content { true } else { false }
  }

  /// A list or an object, which no text can hold.
  package var isContainer: Bool { contentKind == .array || contentKind == .object }

  /// The type in a message: `a list`.
  package var words: String {
    guard case .choice(let shapes) = content else { return Self.words(for: contentKind) }
    return shapes.map(\.words).joined(separator: " or ")
  }

  package static func words(for kind: JSONKind?) -> String {
    switch kind {
    case .string: "a text"
    case .number: "a number"
    case .boolean: "true or false"
    case .null: "null"
    case .array: "a list"
    case .object: "an object"
    case nil: "of unknown type"
    }
  }
}

extension ValueShape {
  /// The names of an object's members that are known, in alphabetical order.
  package var memberNames: [String] { members.map(\.name).sorted() }

  /// The known members, in the order in which they were given.
  package var members: [(name: String, shape: ValueShape)] {
    switch content {
    case .object(let members, _): members.list
    case .choice(let shapes): shapes.flatMap(\.members)
    default: []
    }
  }

  /// Whether the value can have a member of this name.
  package func mayHave(_ name: String) -> Bool {
    switch content {
    case .object(let members, let isOpen): isOpen || members[name] != nil
    case .unknown: true
    case .choice(let shapes): shapes.contains { $0.mayHave(name) }
    default: false
    }
  }
}
