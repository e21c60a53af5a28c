internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage

/// The state of items: what the last run left to each, by its key, and which item has which key.
struct ItemStates {
  /// A key among those of one state value.
  private struct Key: Hashable {
    let name: ExactText
    let key: ExactText
  }

  /// What the last run left, by the name of the state value and by key.
  private let given: [ExactText: [ExactText: JSONNode]]
  /// The positions that lead to the item of each key.
  private var owners: [Key: [Int]] = [:]

  /// - Parameter state: The state that the last run left: for items, an object by key.
  init(_ workflow: Workflow, given state: [String: JSONValue]) {
    var given: [ExactText: [ExactText: JSONNode]] = [:]
    for value in workflow.state where value.isOfItems {
      guard let node = state[value.name]?.node else { continue }
      given[ExactText(value.name)] = Dictionary(
        node.members.map { (ExactText($0.name), $0.value) }, uniquingKeysWith: { $1 })
    }
    self.given = given
  }

  /// What the last run left to the item with this key; `nil` if there is nothing.
  func value(of name: String, at key: String) -> JSONNode? {
    given[ExactText(name)]?[ExactText(key)]
  }

  /// Gives a key to an item.
  ///
  /// - Parameter path: The positions that lead to the item.
  /// - Returns: The path of the other item that has it; `nil` if the key is this item's.
  mutating func take(_ key: String, of name: String, for path: [Int]) -> [Int]? {
    let key = Key(name: ExactText(name), key: ExactText(key))
    if let owner = owners[key] { return owner == path ? nil : owner }
    owners[key] = path
    return nil
  }
}

/// A value that an item leaves to the next run, if all that is around it succeeds.
struct LeftState {
  let name: String
  let key: String
  let value: JSONValue
}

extension [LeftState] {
  /// These values over those that a run was given, which stay for keys that did not occur.
  func merged(into given: [String: JSONValue]) -> [String: JSONValue] {
    var state = given
    for (name, values) in Dictionary(grouping: self, by: { $0.name }) {
      var byKey: [ExactText: JSONNode] = [:]
      for member in given[name].map({ [JSONMember]($0.node.members) }) ?? [] {
        byKey[ExactText(member.name)] = member.value
      }
      for left in values { byKey[ExactText(left.key)] = left.value.node }
      // In an order that does not depend on which item ended first.
      let members: [(name: String, value: JSONNode)] = byKey.map { ($0.key.text, $0.value) }
        .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      state[name] = .object(members.map { JSONValue.Member($0.name, JSONValue($0.value)) })
    }
    return state
  }
}
