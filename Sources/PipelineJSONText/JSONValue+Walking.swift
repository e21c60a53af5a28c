// Values nest as deep as files and responses may, and threads can have small stacks: nothing here
// recurses.

extension JSONValue {
  /// The value at a place of a document.
  public init(_ node: JSONNode) {
    if let scalar = Self.scalar(node) {
      self = scalar
      return
    }
    var open = [Builder(node)]
    while true {
      let last = open.count - 1
      if let child = open[last].next() {
        if let scalar = Self.scalar(child) {
          open[last].add(scalar)
        } else {
          open.append(Builder(child))
        }
        continue
      }
      let value = open.removeLast().value
      guard last > 0 else {
        self = value
        return
      }
      open[last - 1].add(value)
    }
  }

  /// The value of a node that holds no others; `nil` for an array or object.
  private static func scalar(_ node: JSONNode) -> JSONValue? {
    switch node.kind {
    case .null: .null
    case .boolean: .boolean(node.boolean ?? false)
    case .number: node.number.map { .number($0) } ?? .null
    case .string: .string(node.string ?? "")
    case .array, .object: nil
    }
  }

  /// An array or object with known and unknown parts.
  private struct Builder {
    private var elements: JSONNode.Elements?
    private var members: JSONNode.Members?
    private var values: [JSONValue] = []
    private var names: [String] = []

    init(_ node: JSONNode) {
      if node.kind == .array { elements = node.elements } else { members = node.members }
    }

    mutating func next() -> JSONNode? {
      if let element = elements?.next() { return element }
      guard let member = members?.next() else { return nil }
      names.append(member.name)
      return member.value
    }

    mutating func add(_ value: JSONValue) { values.append(value) }

    var value: JSONValue {
      members == nil
        ? .array(values) : .object(zip(names, values).map { Member($0, $1) })
    }
  }

  /// Writes the value as the next one of a text. Values of any depth are written without recursion.
  ///
  /// - Parameter writer: A writer that expects a value.
  public func write(to writer: inout JSONWriter) {
    if writeScalar(to: &writer) { return }
    var open: [Rest] = [begin(&writer)]
    while let last = open.indices.last {
      let next: JSONValue
      switch open[last] {
      case .elements(var elements):
        guard let element = elements.popFirst() else {
          writer.endArray()
          open.removeLast()
          continue
        }
        open[last] = .elements(elements)
        next = element
      case .members(var members):
        guard let member = members.popFirst() else {
          writer.endObject()
          open.removeLast()
          continue
        }
        open[last] = .members(members)
        writer.name(member.name)
        next = member.value
      }
      if !next.writeScalar(to: &writer) { open.append(next.begin(&writer)) }
    }
  }

  /// The parts of an array or object that are still to be written.
  private enum Rest {
    case elements(ArraySlice<JSONValue>)
    case members(ArraySlice<Member>)
  }

  private func begin(_ writer: inout JSONWriter) -> Rest {
    if case .object(let members) = self {
      writer.beginObject()
      return .members(members[...])
    }
    writer.beginArray()
    if case .array(let elements) = self { return .elements(elements[...]) }
    return .elements([])
  }

  /// Writes a value that holds no others; `false`, with nothing written, for an array or object.
  private func writeScalar(to writer: inout JSONWriter) -> Bool {
    switch self {
    case .null: writer.null()
    case .boolean(let value): writer.boolean(value)
    case .number(let number): writer.number(number)
    case .string(let text): writer.string(text)
    case .array, .object: return false
    }
    return true
  }
}

extension JSONValue {
  /// Whether any text in the value, names apart, holds this one.
  func holds(text part: String) -> Bool {
    var rest = [self]
    while let value = rest.popLast() {
      switch value {
      case .string(let text):
        if text.split(separator: part, maxSplits: 1, omittingEmptySubsequences: false).count > 1 {
          return true
        }
      case .array(let elements): rest += elements
      case .object(let members): rest += members.map(\.value)
      case .null, .boolean, .number: continue
      }
    }
    return false
  }
}

extension JSONValue: Hashable {
  /// Whether two values are the same: numbers by value, and members in the same order.
  public static func == (one: JSONValue, other: JSONValue) -> Bool {
    var pairs = [(one, other)]
    while let pair = pairs.popLast() {
      switch pair {
      case (.null, .null): continue
      case (.boolean(let left), .boolean(let right)): if left != right { return false }
      case (.number(let left), .number(let right)): if left != right { return false }
      case (.string(let left), .string(let right)): if left != right { return false }
      case (.array(let left), .array(let right)):
        guard left.count == right.count else { return false }
        pairs += zip(left, right)
      case (.object(let left), .object(let right)):
        guard left.count == right.count else { return false }
        for (left, right) in zip(left, right) {
          guard left.name == right.name else { return false }
          pairs.append((left.value, right.value))
        }
      default: return false
      }
    }
    return true
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    var rest = [self]
    while let value = rest.popLast() {
      switch value {
      case .null: hasher.combine(0)
      case .boolean(let value): hasher.combine(value)
      case .number(let number): hasher.combine(number)
      case .string(let text): hasher.combine(text)
      case .array(let elements):
        hasher.combine(elements.count)
        rest += elements
      case .object(let members):
        hasher.combine(members.count)
        for member in members {
          hasher.combine(member.name)
          rest.append(member.value)
        }
      }
    }
  }
}
