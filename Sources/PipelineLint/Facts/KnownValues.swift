import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// The values that are known before a run: the defaults of inputs, items that are written out, and
/// for dates one of the kind, because all dates are taken in the same way.
struct KnownValues: Sendable {
  enum Standing: Hashable {
    /// The value is of a kind that is always taken alike.
    case certain
    /// The value is a default, in place of which a run may be given another one.
    case byDefault
    /// The value is an item that is written out.
    case byItem
  }

  private let inputs: JSONNode
  private var item: (name: String, value: JSONNode)?
  private let run: JSONNode
  private var standings: [String: Standing] = [:]

  private static let date = JSONValue.string("2024-01-31").node
  private static let moment = JSONValue.string("2024-01-31T09:00:00Z").node

  init(_ inputs: [Input]) {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for input in inputs {
      let sample =
        // One that may be left out decides nothing.
        switch input.type {
        case .date where !input.isOptional: Self.date
        case .datetime where !input.isOptional: Self.moment
        default: nil as JSONNode?
        }
      guard let value = sample ?? input.defaultValue, standings[input.name] == nil else { continue }
      standings[input.name] = sample == nil ? .byDefault : .certain
      writer.name(input.name)
      writer.value(value)
    }
    writer.endObject()
    self.inputs = writer.document().root
    var run = JSONWriter(style: .compact)
    run.beginObject()
    run.name("startedAt")
    run.value(Self.moment)
    run.endObject()
    self.run = run.document().root
  }

  /// These values, and an item of a collection that is written out.
  func with(item value: JSONNode, named name: String) -> KnownValues {
    var known = self
    known.item = (name, value)
    return known
  }

  /// How the value of a query is known; `nil` if it is not.
  func standing(of query: Query) -> Standing? {
    guard query.anchor == .root, query.isSingular, !query.hasInner else { return nil }
    if let item, query.firstName == item.name { return .byItem }
    guard query.segments.count >= 2, let name = query.segments[1].name else { return nil }
    switch query.firstName {
    case "inputs": return standings[name]
    case "run": return name == "startedAt" ? .certain : nil
    default: return nil
    }
  }

  /// The value of a reference that is known.
  func value(of query: Query) -> JSONNode? {
    standing(of: query).flatMap { _ in query.first(in: source.queries) }
  }

  var source: some DataSource { KnownSource(queries: QueryContext(root: .scope(scope))) }

  private var scope: KnownScope { KnownScope(inputs: inputs, run: run, item: item) }
}

private struct KnownScope: QueryScope {
  let inputs: JSONNode
  let run: JSONNode
  let item: (name: String, value: JSONNode)?

  func value(named name: String) -> JSONNode? {
    if let item, name == item.name { return item.value }
    return switch name {
    case "inputs": inputs
    case "run": run
    default: nil
    }
  }
}

/// Values that are taken to be those of a run: defaults, or an item. What fails only with them is
/// reported in other words than what always fails.
struct Assumption {
  let known: KnownValues
  let standing: KnownValues.Standing
  /// What a message begins with.
  let words: String
  var severity: Diagnostic.Severity
  var related: [Diagnostic.Related] = []

  /// Whether a value is known, if the assumption holds.
  func knows(_ query: Query) -> Bool {
    guard let standing = known.standing(of: query) else { return false }
    return standing == .certain || standing == self.standing
  }

  /// Whether any of the queries reads what is assumed.
  func concerns(_ queries: some Sequence<Query>) -> Bool {
    queries.contains { known.standing(of: $0) == standing }
  }

  /// The value of data that reads what is assumed, and nothing that is not known; `nil` if it cannot
  /// be made.
  func value(of data: DataTemplate) -> JSONNode? {
    guard concerns(data.uses.lazy.map(\.query)) else { return nil }
    return data.knownValue(from: known.source, knows)
  }
}

/// Has no files, because what reads one is not known before a run.
private struct KnownSource: DataSource {
  let queries: QueryContext

  func file(_ path: String, as reading: FileReading) throws(DataSourceError) -> JSONNode {
    throw DataSourceError("'\(path)' is not read before a run")
  }

  func files(_ pattern: String) throws(DataSourceError) -> [String] {
    throw DataSourceError("'\(pattern)' is not read before a run")
  }
}
