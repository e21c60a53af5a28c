package import PipelineJSONText

/// The members of one object of the language that its table knows.
///
/// By reference, because it is passed to everything that reads a part of the object.
package final class ObjectFields {
  let table: LanguageObject
  let node: JSONNode
  let place: Place
  let entries: [Entry]
  /// Members whose key is unknown, by the key that was probably meant.
  let suspects: [String: JSONMember]

  /// A member with the facts that are often asked for.
  struct Entry {
    let member: JSONMember
    /// The position of the key in the table.
    let key: Int
    /// The key as the table has it: reading the name off the document costs more.
    let name: String

    init(_ member: JSONMember, key: Int, in table: LanguageObject) {
      self.member = member
      self.key = key
      name = table.keys[key].name
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
  }

  /// The value of a key, the first if it is a duplicate.
  package subscript(_ name: String) -> JSONNode? { member(name)?.value }

  /// The member of a key.
  func member(_ name: String) -> JSONMember? {
    entries.first { $0.name == name }?.member
  }

  func has(_ name: String) -> Bool { member(name) != nil }
}

/// The object's name in a message: `step 'user'`.
package enum Place: CustomStringConvertible {
  case file
  /// A file that another builds on.
  case base
  /// A file of tests.
  case tests
  /// The value of a key: `'retry'`.
  case key(String)
  /// A thing with a name: `input 'page'`.
  case named(String, String)
  /// A thing in a list, counted from 1: `step 2`.
  case numbered(String, Int)

  package var description: String {
    switch self {
    case .file: "the workflow"
    case .base: "the file to build on"
    case .tests: "the test file"
    case .key(let key): "'\(key)'"
    case .named(let title, let name): "\(title) '\(name)'"
    case .numbered(let title, let number): "\(title) \(number)"
    }
  }
}
