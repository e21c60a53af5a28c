import JSONPaths
public import JSONText
public import Templates

/// What a `values` step gives, each member with where its value comes from.
///
/// A constant, or one name of a value that the step reads, is most of what values are made of. Here
/// such a member is some words in one array, where its template, its query and the parts of that are
/// ten places in memory: more than writing the value costs, in a plan that no cache holds.
public struct ValuesPlan: Sendable {
  /// As written.
  public let members: [Member]

  public struct Member: Sendable {
    public let name: String
    public let source: Source
  }

  public enum Source: Sendable {
    case constant(JSONNode)
    /// The member of that name of a value, given by its number among the step's shared reads.
    case member(read: Int, name: String)
    /// Anything else.
    case data(DataTemplate)
  }

  /// - Parameter reads: What is the same for all items of the step.
  init(_ fields: [Field], reads: [Read]) {
    members = fields.map { field in
      Member(name: field.name, source: Source(field.value, reads))
    }
  }
}

extension ValuesPlan.Source {
  fileprivate init(_ data: DataTemplate, _ reads: [Read]) {
    if let node = data.literal {
      self = .constant(node)
    } else if let query = data.wholeReference, let (first, second) = query.namePair,
      let read = reads.firstIndex(where: { $0.name == first })
    {
      self = .member(read: read, name: second)
    } else {
      self = .data(data)
    }
  }
}

extension Query {
  /// `list` and `ids` of `$.list.ids`, where that is the whole query and stands for a member of the
  /// value `list`: `error` may be another thing.
  fileprivate var namePair: (first: String, second: String)? {
    guard anchor == .root, segments.count == 2, let first = firstName,
      let second = segments[1].name, second != "error"
    else { return nil }
    return (first, second)
  }
}

extension Step {
  /// What is written for one of the values that the step gives; the step itself where it has none.
  package func node(ofValue number: Int) -> JSONNode {
    guard case .values(let fields) = action, number < fields.count else { return node }
    return fields[number].value.node
  }
}
