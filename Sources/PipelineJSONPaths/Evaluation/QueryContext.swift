package import PipelineJSONText

/// What `$`, `@` and `{{…}}` stand for while a query or condition is evaluated.
package struct QueryContext {
  /// What `$` stands for.
  package enum Root {
    /// The node itself, such as a response's body.
    case node(JSONNode)
    /// Named values, each in a separate document.
    case scope(any QueryScope)
  }

  /// The value of a binding; `nil` if it is absent.
  package typealias BindingResolver = (Binding) -> JSONNode?

  package var root: Root
  /// What `@` stands for in a condition, outside of filters.
  package var current: JSONNode?
  /// The value of each `{{…}}`. Called at most once per binding and evaluation. Where none is
  /// given, a scope that is the root resolves them.
  package var bindings: BindingResolver?

  package init(root: Root, current: JSONNode? = nil, bindings: BindingResolver? = nil) {
    self.root = root
    self.current = current
    self.bindings = bindings
  }

  /// `$` is the node.
  package init(_ root: JSONNode) { self.init(root: .node(root)) }
}

/// Named values that `$` stands for: `$.list.ids` is `.ids` of the value named `list`.
///
/// Queries that do not begin with literal names select nothing in a scope.
package protocol QueryScope {
  /// The value of that name; `nil` if it is absent.
  func value(named name: String) -> JSONNode?
  /// The value of `$.name.error` if the value itself has no such member: a list has none.
  func error(named name: String) -> JSONNode?
  /// The element of a list, counted from the end if the position is negative. For scopes whose
  /// longest lists are not single documents.
  func element(_ position: Int, of name: String) -> JSONNode?
}

extension QueryScope {
  package func error(named name: String) -> JSONNode? { nil }

  package func element(_ position: Int, of name: String) -> JSONNode? {
    value(named: name).flatMap { $0.element(position) }
  }

  /// Where a query that begins with `name` starts, and how many of its segments lead there.
  func start(of query: Query, named name: String) -> (node: JSONNode, depth: Int)? {
    if case .position(let position) = query.second {
      return element(position, of: name).map { ($0, 2) }
    }
    return namedStart(of: query, named: name)
  }

  /// The start of a query whose positions do not lead into the value.
  func namedStart(of query: Query, named name: String) -> (node: JSONNode, depth: Int)? {
    if case .error = query.second, let error = error(named: name) { return (error, 2) }
    return value(named: name).map { ($0, 1) }
  }
}
