internal import PipelineJSONText

/// The items of a collection, handed out one after the other. None is built before its turn.
struct Items: Sendable {
  private enum Source: Sendable {
    case elements(JSONNode.Elements.Iterator)
    case nodes(IndexingIterator<[JSONNode]>)
    case rows(JSONNode.Elements, following: Rows.Lists)
    case numbers(next: Int, by: Int)
    /// Each is made of the round before, and not here.
    case rounds
    case file(FileRows)
  }

  private var source: Source
  private let batch: Int?
  /// Single items left.
  private var left: Int
  /// How many items, or batches of them, there are in all.
  private(set) var count: Int
  /// Why no item could be read although there are more; `nil` if all could.
  private(set) var problem: FileError?

  private init(_ source: Source, count: Int, batch: Int?) {
    self.source = source
    self.batch = batch
    left = count
    self.count = batch.map { count / $0 + (count % $0 == 0 ? 0 : 1) } ?? count
  }

  init(elementsOf list: JSONNode, batch: Int?) {
    self.init(.elements(list.elements.makeIterator()), count: list.count, batch: batch)
  }

  init(_ nodes: [JSONNode], batch: Int?) {
    self.init(.nodes(nodes.makeIterator()), count: nodes.count, batch: batch)
  }

  init(_ rows: Rows, batch: Int?) {
    self.init(
      .rows(JSONValue.null.node.elements, following: rows.lists), count: rows.count, batch: batch)
  }

  /// The rows of a file. If one of them cannot be read again, none is given from there on.
  init(_ rows: FileRows, batch: Int?) {
    self.init(.file(rows), count: rows.count, batch: batch)
  }

  /// `count` whole numbers, `by` apart.
  init(from: Int, by: Int, count: Int, batch: Int?) {
    self.init(.numbers(next: from, by: by), count: count, batch: batch)
  }

  /// Rounds, up to a maximum.
  init(roundsUpTo count: Int) {
    self.init(.rounds, count: count, batch: nil)
  }

  /// The next item, or a list of the next ones; `nil` after the last.
  mutating func next() -> JSONNode? {
    guard let batch else { return single() }
    guard left > 0 else { return nil }
    var writer = JSONWriter(style: .compact)
    writer.beginArray()
    for _ in 0..<min(batch, left) {
      if let item = single() { writer.value(item) }
    }
    writer.endArray()
    return problem == nil ? writer.document().root : nil
  }

  /// How many items, or batches of them, follow.
  var leftCount: Int { batch.map { left / $0 + (left % $0 == 0 ? 0 : 1) } ?? left }

  /// Leaves out the next items.
  mutating func skip(_ items: Int) {
    guard items > 0 else { return }
    let (singles, isTooLarge) = items.multipliedReportingOverflow(by: batch ?? 1)
    guard !isTooLarge, singles < left else {
      left = 0
      return
    }
    if case .numbers(let next, let by) = source {
      source = .numbers(next: next &+ singles &* by, by: by)
      left -= singles
    } else {
      for _ in 0..<singles { _ = single() }
    }
  }

  /// No item follows the first `count`.
  mutating func end(after count: Int) {
    self.count = count
    left = 0
  }

  private mutating func single() -> JSONNode? {
    guard left > 0 else { return nil }
    left -= 1
    switch source {
    case .elements(var iterator):
      let node = iterator.next()
      source = .elements(iterator)
      return node
    case .nodes(var iterator):
      let node = iterator.next()
      source = .nodes(iterator)
      return node
    case .rows(var elements, var following):
      var node = elements.next()
      while node == nil, let list = following.next() {
        elements = list.elements
        node = elements.next()
      }
      source = .rows(elements, following: following)
      return node
    case .numbers(let next, let by):
      source = .numbers(next: next &+ by, by: by)
      return JSONDocument(integer: next).root
    case .rounds: return nil
    case .file(var rows):
      // Not copied while it reads.
      source = .numbers(next: 0, by: 0)
      defer { source = .file(rows) }
      do throws(FileError) {
        guard problem == nil, let row = try rows.next() else { return nil }
        return row
      } catch {
        problem = error
        return nil
      }
    }
  }
}
