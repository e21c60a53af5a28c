internal import PipelineJSONPaths
package import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import Synchronization

/// The values that one unit of work reads, and nothing else.
///
/// A scope is a value that can be carried to another task or process. A step, or one item of a
/// collection, can run wherever its scope is.
package struct Scope: QueryScope, Sendable {
  /// The part that all items of a step share.
  final class Shared: Sendable {
    private let reads: [Read]
    private let values: [ScopeValue?]
    /// The owner of the scope; `nil` if it is not needed.
    let owner: (any ScopeOwner)?
    /// The work of the step's units, once a journal has asked for it.
    let work = Mutex<SharedWork?>(nil)

    /// - Parameter values: One for each of `reads`; `nil` if absent.
    init(reads: [Read], values: [ScopeValue?], owner: (any ScopeOwner)? = nil) {
      self.reads = reads
      self.values = values
      self.owner = owner
    }

    /// The value of the read of that number.
    func value(ofRead number: Int) -> ScopeValue? { values[number] }

    /// The same with other values for some names.
    ///
    /// - Parameter value: The other value of a name; `nil` if it keeps its own.
    func replacing(_ value: (String) -> ScopeValue?) -> Shared {
      Shared(
        reads: reads,
        values: zip(reads, values).map { read, own in own == nil ? nil : value(read.name) ?? own },
        owner: owner)
    }

    /// The same with the values that a page hands on.
    func carrying(_ values: JSONNode) -> Shared {
      Shared(
        reads: reads,
        values: zip(reads, self.values).map { read, own in
          read.definition == .pageValue(name: read.name)
            ? values[read.name].map(ScopeValue.init) : own
        }, owner: owner)
    }

    func value(named name: String) -> ScopeValue? {
      reads.firstIndex { $0.name == name }.flatMap { values[$0] }
    }
  }

  /// The ids and positions that lead to the step and its item.
  var place: String { (shared.owner?.place ?? "") + (item.map { "/\($0.index)" } ?? "") }

  let shared: Shared
  /// The loop's item, if the unit is one of a collection.
  var item: Item?

  /// One item of a collection, under its loop names, or one round, under the names of what it
  /// carries.
  ///
  /// A class, so that a scope is two words, which are handed on at each reading.
  final class Item: Sendable {
    /// `nil` if it is a round.
    let name: String?
    let indexName: String?
    let index: Int
    /// The item, or an object of the carried values.
    let node: JSONNode
    /// The gaps of the item, if it is a row of another step.
    let gaps: Gaps
    /// What the round carries; `nil` if it is an item.
    let rounds: Rounds?

    init(name: String, indexName: String?, index: Int, node: JSONNode, gaps: Gaps = .none) {
      self.name = name
      self.indexName = indexName
      self.index = index
      self.node = node
      self.gaps = gaps
      rounds = nil
    }

    /// A round.
    init(of rounds: Rounds, index: Int, carrying node: JSONNode) {
      self.rounds = rounds
      self.index = index
      self.node = node
      name = nil
      indexName = nil
      gaps = .none
    }

    /// Whether it has something of this name, which may be absent.
    func has(_ name: String) -> Bool {
      rounds?.carries(name) ?? (self.name == name || indexName == name)
    }

    /// The value of a name that it has.
    func value(named name: String) -> JSONNode? {
      if rounds != nil { return node[name] }
      return self.name == name ? node : JSONDocument(integer: index).root
    }
  }

  init(shared: Shared, item: Item? = nil) {
    self.shared = shared
    self.item = item
  }

  package func value(named name: String) -> JSONNode? {
    if let item, item.has(name) { return item.value(named: name) }
    return shared.value(named: name)?.node
  }

  package func error(named name: String) -> JSONNode? {
    shared.value(named: name)?.error?.node
  }

  package func element(_ position: Int, of name: String) -> JSONNode? {
    if let item, item.has(name) { return item.value(named: name)?.element(position) }
    return shared.value(named: name)?.element(position)
  }

  /// The selected rows, if the query is only the name of a collection and its rows are too many to
  /// be one text.
  func rows(_ query: Query) -> Rows? {
    guard query.anchor == .root, query.segments.count == 1, let name = query.firstName,
      item?.has(name) != true
    else { return nil }
    return shared.value(named: name)?.rows
  }

  /// The value that a template's reference reads; `nil` if absent.
  func value(of reference: Template.Reference) -> JSONNode? {
    reference.query.first(in: queryContext())
  }

  func value(of binding: Binding) -> JSONNode? {
    binding.query.first(in: queryContext())
  }

  /// A context for queries of the scope; `@` stands for `current`.
  func queryContext(current: JSONNode? = nil) -> QueryContext {
    QueryContext(root: .scope(self), current: current)
  }

  /// A context for queries of a response's body, whose `{{…}}` read the scope.
  func queryContext(body: JSONNode) -> QueryContext {
    QueryContext(root: .node(body), current: nil) { value(of: $0) }
  }
}

/// The step, or the outputs, that a scope is for.
protocol ScopeOwner: Sendable {
  /// The ids and positions that lead to it.
  var place: String { get }
  /// The step's id after the ids of the blocks around it.
  var name: String { get }
  /// Where the step reads a secret; `nil` if nowhere.
  var secretRanges: Set<Range<Int>>? { get }
  /// Hides what is made of secrets.
  var redactor: Redactor { get }
}
