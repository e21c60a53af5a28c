import JSONText

/// The members of one object of the language that its table knows.
///
/// By reference: it is handed to all who read a part of the object.
final class ObjectFields {
  let table: LanguageObject
  let node: JSONNode
  let place: Place
  let entries: [Entry]
  /// Members whose key is unknown, by the key that was probably meant.
  let suspects: [String: JSONMember]
  /// The keys of the entries.
  let keys: LanguageObject.KeySet
  /// A bit for each hash of an entry's mark: most keys that are asked for are not there.
  private let marks: UInt64

  /// A member with what is asked of it often.
  struct Entry {
    let member: JSONMember
    /// The position of the key in the table.
    let key: Int
    /// The key as the table has it: reading the name off the document costs more.
    let name: String
    fileprivate let mark: UInt16

    init(_ member: JSONMember, key: Int, in table: LanguageObject) {
      self.member = member
      self.key = key
      name = table.keys[key].name
      mark = table.marks[key]
    }
  }

  init(
    _ table: LanguageObject, _ node: JSONNode, _ place: Place, _ entries: [Entry],
    suspects: [String: JSONMember]
  ) {
    self.table = table
    self.node = node
    self.place = place
    self.entries = entries
    self.suspects = suspects
    keys = LanguageObject.KeySet(entries.lazy.map(\.key))
    marks = entries.reduce(0) { $0 | Self.bit(of: $1.mark) }
  }

  private static func bit(of mark: UInt16) -> UInt64 { 1 << ((UInt64(mark) &* 0x9E37) >> 10 & 63) }

  /// The value of a key; the first where it stands twice.
  subscript(_ name: String) -> JSONNode? { member(name)?.value }

  /// The member of a key.
  func member(_ name: String) -> JSONMember? {
    let mark = LanguageObject.mark(of: name)
    if marks & Self.bit(of: mark) == 0 { return nil }
    for index in entries.indices
    where entries[index].mark == mark && entries[index].name == name {
      return entries[index].member
    }
    return nil
  }

  func has(_ name: String) -> Bool { member(name) != nil }

  /// Whether the author wrote `null`, which drops a default.
  func drops(_ name: String) -> Bool { self[name]?.isNull ?? false }

  /// The value of a key that may be `null` in order to drop a default.
  func given(_ name: String) -> JSONNode? { self[name].flatMap { $0.isNull ? nil : $0 } }
}

/// What an object is, in a message: `step 'user'`.
enum Place: CustomStringConvertible {
  case file
  /// A file that another builds on.
  case base
  /// The value of a key: `'retry'`.
  case key(String)
  /// A thing with a name: `input 'page'`.
  case named(String, String)
  /// A thing in a list, counted from 1: `step 2`.
  case numbered(String, Int)

  var description: String {
    switch self {
    case .file: "the workflow"
    case .base: "the file to build on"
    case .key(let key): "'\(key)'"
    case .named(let title, let name): "\(title) '\(name)'"
    case .numbered(let title, let number): "\(title) \(number)"
    }
  }
}
