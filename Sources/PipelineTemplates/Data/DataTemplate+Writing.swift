internal import PipelineJSONPaths
package import PipelineJSONText

extension DataTemplate {
  /// Writes the value. Returns false, and writes nothing, if it is absent.
  ///
  /// - Throws: If a part of it does not fit its place. Some text may then be written.
  package func write(
    to writer: inout JSONWriter, from source: any DataSource
  ) throws(DataError) -> Bool {
    try write(named: nil, to: &writer, from: source)
  }

  /// Writes a member of an object. Returns false, and writes nothing, if its value is absent.
  @discardableResult
  package func write(
    member name: String, to writer: inout JSONWriter, from source: any DataSource
  ) throws(DataError) -> Bool {
    try write(named: name, to: &writer, from: source)
  }

  private func write(
    named name: String?, to writer: inout JSONWriter, from source: any DataSource
  ) throws(DataError) -> Bool {
    let isWritten = try DataWriting(source: source).write(root, named: name, to: &writer)
    try Self.checkDepth(of: writer, at: node)
    return isWritten
  }

  /// Throws if the written text, which ends with the value of `node`, nests too deep.
  ///
  /// A value can hold the one before it, at each step. There is room for the rows and pages that
  /// may be written around it.
  package static func checkDepth(
    of writer: JSONWriter, at node: @autoclosure () -> JSONNode
  ) throws(DataError) {
    guard writer.depthReached <= depthLimit else {
      throw DataError(
        .depth,
        "the value nests more than \(depthLimit) levels deep; insert only a part of it",
        at: node().range)
    }
  }

  /// How deep data may nest: less than the 1,024 levels that JSON is read to.
  static let depthLimit = 1000

  /// The value, or nil if it is absent. One that is read as a whole is not copied.
  package func value(from source: any DataSource) throws(DataError) -> JSONNode? {
    try DataWriting(source: source).value(of: root)
  }
}

/// The writing of a value: what it reads, and from where.
package struct DataWriting {
  let source: any DataSource
  let queries: QueryContext

  init(source: any DataSource) {
    self.source = source
    queries = source.queries
  }

  /// The value of a node. It is found before its name is written, because it may be absent.
  package enum Found {
    case absent
    case node(JSONNode)
    case list([JSONNode])
    case text(String)
    /// A number with these digits.
    case number(String)
    case object([DataTemplate.Member])
    case array([DataTemplate.Node])
  }

  func write(
    _ node: DataTemplate.Node, named name: String?, to writer: inout JSONWriter
  ) throws(DataError) -> Bool {
    let found = try find(node)
    if case .absent = found { return false }
    if let name { writer.name(name) }
    switch found {
    case .absent: break
    case .node(let node): writer.value(node)
    case .text(let text): writer.string(text)
    case .number(let text): writer.number(text)
    case .list(let nodes):
      writer.beginArray()
      for node in nodes { writer.value(node) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members { _ = try write(member.value, named: member.name, to: &writer) }
      writer.endObject()
    case .array(let items):
      writer.beginArray()
      for item in items { _ = try write(item, named: nil, to: &writer) }
      writer.endArray()
    }
    return true
  }

  func value(of node: DataTemplate.Node) throws(DataError) -> JSONNode? {
    switch try find(node) {
    case .absent: return nil
    case .node(let node): return node
    case .text, .number, .list, .object, .array:
      var writer = JSONWriter(style: .compact)
      return try write(node, named: nil, to: &writer) ? writer.document().root : nil
    }
  }

  func find(_ node: DataTemplate.Node) throws(DataError) -> Found {
    switch node {
    case .literal(let node, _): return .node(node)
    case .object(let members): return .object(members)
    case .array(let items): return .array(items)
    case .reference(let reference, _):
      return reference.query.first(in: queries).map(Found.node) ?? .absent
    case .query(let query, _):
      guard query.isSingular else { return .list(nodes(of: query)) }
      return query.first(in: queries).map(Found.node) ?? .absent
    case .text(let template, let node): return .text(try text(template, node))
    case .form(let form):
      let found = try form.find(by: self)
      switch found {
      case .text(let text), .number(let text): source.made(text, by: form)
      case .list(let parts) where form.makesTexts:
        for part in parts { source.made(part.string ?? "", by: form) }
      // What other forms give is a part of what they read.
      case .absent, .node, .list, .object, .array: break
      }
      return found
    }
  }

  /// The nodes of a query for many values.
  func nodes(of query: Query) -> [JSONNode] {
    let nodes = query.nodes(in: queries)
    if nodes.isEmpty { source.selectedNothing(query) }
    return nodes
  }

  private func text(
    _ template: Template, _ node: JSONNode
  ) throws(DataError) -> String {
    do throws(ExpansionError) {
      return try template.text { $0.query.first(in: queries) }
    } catch {
      throw DataError(error, in: node)
    }
  }
}

extension JSONKind {
  /// The kind in a message: `this is a list`.
  package var phrase: String {
    switch self {
    case .object: "an object"
    case .array: "a list"
    case .string: "a text"
    case .number: "a number"
    case .boolean: "true or false"
    case .null: "null"
    }
  }
}
