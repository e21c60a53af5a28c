internal import PipelineByteText
internal import PipelineJSONText

/// A value of an imported file that remembers which members a reader looked at.
///
/// A reader takes what it needs by name. What it never asked for is found afterwards, so that no key
/// of a file is dropped without a word.
struct ReadNode {
  let node: JSONNode
  private let log: Log

  /// Which members of a document were read.
  private final class Log {
    /// The positions of the values that were asked for.
    var read: Set<Int> = []
    /// The positions of values whose parts all count as read.
    var whole: Set<Int> = []
  }

  /// A member of an object.
  struct Member {
    let name: String
    let value: ReadNode
  }

  init(_ root: JSONNode) {
    node = root
    log = Log()
  }

  private init(_ node: JSONNode, _ log: Log) {
    self.node = node
    self.log = log
  }

  // MARK: Reading

  /// The value of the first member of that name, which counts as read.
  subscript(_ name: String) -> ReadNode? {
    guard let value = node[name] else { return nil }
    log.read.insert(value.index)
    return ReadNode(value, log)
  }

  subscript(_ position: Int) -> ReadNode? { node[position].map { ReadNode($0, log) } }

  /// The elements of a list; none if it is no list.
  var elements: [ReadNode] { node.elements.map { ReadNode($0, log) } }

  /// The members of an object, which all count as read; none if it is no object.
  var members: [Member] {
    node.members.map { member in
      log.read.insert(member.value.index)
      return Member(name: member.name, value: ReadNode(member.value, log))
    }
  }

  /// The value with everything in it, which counts as read.
  var json: JSONValue {
    log.whole.insert(node.index)
    return JSONValue(node)
  }

  var kind: JSONKind { node.kind }
  var string: String? { node.string }
  var number: JSONNumber? { node.number }
  var boolean: Bool? { node.boolean }
  var count: Int { node.count }
  var isNull: Bool { node.isNull }
  var text: String { node.text }

  /// The text of a string, or of another value as it is written.
  var plain: String { node.string ?? node.text }

  /// Whether it has no value: `null`, or an empty text, list or object.
  var isNothing: Bool {
    switch kind {
    case .null: true
    case .string: string?.isEmpty == true
    case .array, .object: count == 0
    case .number, .boolean: false
    }
  }

  // MARK: What was not read

  /// Counts everything in the value as read, because all of it is refused or has no meaning.
  func ignore() { log.whole.insert(node.index) }

  /// Counts members as read that say nothing about requests.
  func ignore(_ names: String...) {
    for name in names { node[name].map { _ = log.whole.insert($0.index) } }
  }

  /// The members that were not read, in the order of the file. Extensions (`x-…`) are not among
  /// them.
  ///
  /// - Complexity: Linear in the size of the value.
  func unread() -> [Member] {
    guard !log.whole.contains(node.index) else { return [] }
    var found: [Member] = []
    for member in node.members where !member.name.hasPrefix(bytes: "x-") {
      let value = ReadNode(member.value, log)
      if log.read.contains(member.value.index) || log.whole.contains(member.value.index) {
        found += value.unread()
      } else {
        found.append(Member(name: member.name, value: value))
      }
    }
    for element in elements { found += element.unread() }
    return found
  }
}

extension ImportReport {
  /// Names the keys of a file that nothing was made of.
  mutating func approximateUnread(_ root: ReadNode, line: (JSONNode) -> Int) {
    for member in root.unread() where !member.value.isNothing {
      approximate(key: member.name, line: line(member.value.node))
    }
  }
}

extension ReadNode? {
  /// The elements of a list; none if there is no list.
  var items: [ReadNode] { self?.elements ?? [] }

  /// The members of an object; none if there is no object.
  var memberList: [ReadNode.Member] { self?.members ?? [] }
}
