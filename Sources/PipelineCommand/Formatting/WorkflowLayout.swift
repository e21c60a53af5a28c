internal import PipelineJSONText

/// The only form of a workflow file's text.
///
/// The form depends on the content alone, never on the author's line breaks. The file, its lists of
/// steps, and texts given line by line take a line for each member. Anything else is on one line if
/// that has at most 100 columns. Strings, numbers and the order of keys stay as written.
struct WorkflowLayout: Sendable {
  /// The most columns of a line that could be broken.
  static let width = 100

  /// The role of a value in the file, which decides whether a short value is broken.
  private enum Role {
    case file, steps, step, texts, other

    /// The role of a member's value.
    func member(_ name: String, _ value: JSONNode) -> Role {
      switch (self, name) {
      case (.file, "steps"), (.file, "finally"), (.step, "steps"), (.step, "finally"): .steps
      // A text or a GraphQL query as a list of its lines.
      case (_, "text"), (_, "query"): value.kind == .array ? .texts : .other
      default: .other
      }
    }

    /// Whether a value that fits on one line may be there.
    var isOneLine: Bool { self == .other || self == .step }
  }

  private var bytes: [UInt8] = []

  /// The canonical text of a file, with its final newline.
  ///
  /// - Complexity: O(bytes · depth).
  static func text(of root: JSONNode) -> [UInt8] {
    var layout = WorkflowLayout()
    layout.append(root, .file, depth: 0, column: 0, isFollowed: false)
    layout.bytes.append(UInt8(ascii: "\n"))
    return layout.bytes
  }

  /// - Parameters:
  ///   - column: Where the value begins.
  ///   - isFollowed: Whether a comma follows it.
  private mutating func append(
    _ node: JSONNode, _ role: Role, depth: Int, column: Int, isFollowed: Bool
  ) {
    guard node.kind == .object || node.kind == .array, node.count > 0 else {
      var value = FlatValue(room: .max)
      _ = value.append(node)
      bytes += value.bytes
      return
    }
    if role.isOneLine, !holdsLines(node) {
      var line = FlatValue(room: Self.width - column - (isFollowed ? 1 : 0))
      if line.append(node) {
        bytes += line.bytes
        return
      }
    }
    let isObject = node.kind == .object
    bytes.append(UInt8(ascii: isObject ? "{" : "["))
    var left = node.count
    if isObject {
      for member in node.members {
        left -= 1
        breakLine(depth + 1)
        let name = node.document.bytes[member.nameRange]
        bytes += name
        bytes += ": ".utf8
        append(
          member.value, role.member(member.name, member.value), depth: depth + 1,
          column: 2 * (depth + 1) + columns(of: name) + 2, isFollowed: left > 0)
        if left > 0 { bytes.append(UInt8(ascii: ",")) }
      }
    } else {
      for element in node.elements {
        left -= 1
        breakLine(depth + 1)
        append(
          element, role == .steps ? .step : .other, depth: depth + 1, column: 2 * (depth + 1),
          isFollowed: left > 0)
        if left > 0 { bytes.append(UInt8(ascii: ",")) }
      }
    }
    breakLine(depth)
    bytes.append(UInt8(ascii: isObject ? "}" : "]"))
  }

  /// Whether a value contains steps or lines, which break it, too.
  private func holdsLines(_ node: JSONNode) -> Bool {
    node.members.contains { member in
      Role.step.member(member.name, member.value) != .other || holdsLines(member.value)
    }
  }

  private mutating func breakLine(_ depth: Int) {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}

/// A value on one line, if there is room.
private struct FlatValue {
  private(set) var bytes: [UInt8] = []
  /// The columns that are left.
  private var room: Int

  init(room: Int) {
    self.room = room
  }

  /// Whether the whole value was written.
  mutating func append(_ node: JSONNode) -> Bool {
    switch node.kind {
    case .object:
      guard node.count > 0 else { return append("{}".utf8) }
      var isFirst = true
      for member in node.members {
        guard append((isFirst ? "{ " : ", ").utf8),
          append(node.document.bytes[member.nameRange]), append(": ".utf8), append(member.value)
        else { return false }
        isFirst = false
      }
      return append(" }".utf8)
    case .array:
      guard node.count > 0 else { return append("[]".utf8) }
      guard append("[".utf8) else { return false }
      var isFirst = true
      for element in node.elements {
        guard isFirst || append(", ".utf8), append(element) else { return false }
        isFirst = false
      }
      return append("]".utf8)
    case .string, .number, .boolean, .null: return append(node.utf8)
    }
  }

  private mutating func append(_ text: some Collection<UInt8>) -> Bool {
    room -= columns(of: text)
    guard room >= 0 else { return false }
    bytes += text
    return true
  }
}

/// The columns of a text: its Unicode scalars, as lint counts them.
private func columns(of text: some Collection<UInt8>) -> Int {
  text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
}
