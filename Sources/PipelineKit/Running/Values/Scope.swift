public import JSONPaths
public import JSONText
internal import Templates

/// The values that one unit of work reads, and nothing else.
///
/// A scope is a value that can be carried to another task or process: a step, or one item of a
/// collection, runs anywhere that its scope is.
public struct Scope: QueryScope, Sendable {
  /// What all items of a step share.
  final class Shared: Sendable {
    let names: [String]
    let values: [ScopeValue?]

    init(names: [String], values: [ScopeValue?]) {
      self.names = names
      self.values = values
    }
  }

  let shared: Shared
  /// The loop's item, where the unit is one of a collection.
  var item: Item?

  /// One item of a collection, under its loop names.
  struct Item: Sendable {
    let name: String
    let indexName: String?
    let index: Int
    let node: JSONNode
  }

  init(shared: Shared, item: Item? = nil) {
    self.shared = shared
    self.item = item
  }

  public func value(named name: String) -> JSONNode? {
    if let item {
      if item.name == name { return item.node }
      if item.indexName == name { return JSONValue.number(String(item.index)).document.root }
    }
    guard let position = shared.names.firstIndex(of: name) else { return nil }
    return shared.values[position]?.node
  }

  public func error(named name: String) -> JSONNode? {
    guard let position = shared.names.firstIndex(of: name) else { return nil }
    return shared.values[position]?.error?.node
  }

  /// The value that a template's reference reads; `nil`: absent.
  func value(of reference: Template.Reference) -> JSONNode? {
    reference.query.first(in: queryContext())
  }

  func value(of binding: Binding) -> JSONNode? {
    binding.query.first(in: queryContext())
  }

  /// A context for queries of the scope; `@` stands for `current`.
  func queryContext(current: JSONNode? = nil) -> QueryContext {
    QueryContext(root: .scope(self), current: current) { value(of: $0) }
  }

  /// A context for queries of a response's body, whose `{{…}}` read the scope.
  func queryContext(body: JSONNode) -> QueryContext {
    QueryContext(root: .node(body), current: nil) { value(of: $0) }
  }
}
