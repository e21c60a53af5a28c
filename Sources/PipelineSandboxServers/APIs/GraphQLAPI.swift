internal import PipelineHTTPServers
internal import PipelineJSONText

/// `/graphql`: `user(id:)`, `users(first:)` and `createUser(name:)`, enough to see variables and
/// errors. Answers have status 200, errors included, as is the custom.
enum GraphQLAPI {
  static let routes = [
    Route("POST", "/graphql", "{user(id: 1) {id name email}} users(first: 3) createUser(name:)") {
      _, request, _ in
      respond(request)
    }
  ]

  typealias Problem = GraphQLDocument.Problem

  private static func respond(_ request: ServerRequest) -> ServerResponse {
    guard let body = request.json, let query = body["query"]?.string else {
      return errors(400, [Failure(message: "the body has no 'query'")])
    }
    do throws(Problem) {
      let document = try GraphQLDocument(parsing: query)
      let operation = try chosen(body["operationName"]?.string, of: document)
      var execution = Execution(operation: operation, given: body["variables"])
      let data = try execution.run()
      guard execution.failures.isEmpty else {
        return errors(200, execution.failures, data: data)
      }
      return .object { writer in
        writer.name("data")
        writer.raw(data)
      }
    } catch {
      return errors(200, [Failure(message: error.message)])
    }
  }

  private static func chosen(
    _ name: String?, of document: GraphQLDocument
  ) throws(Problem) -> GraphQLDocument.Operation {
    guard let name else {
      guard document.operations.count == 1 else {
        throw Problem(message: "operationName must name one of the operations")
      }
      return document.operations[0]
    }
    guard let operation = document.operations.first(where: { $0.name == name }) else {
      throw Problem(message: "operation '\(name)' does not exist")
    }
    return operation
  }

  fileprivate struct Failure {
    let message: String
    /// Empty for a failure of the whole request.
    var path: [String] = []
  }

  private static func errors(
    _ status: Int, _ failures: [Failure], data: [UInt8]? = nil
  ) -> ServerResponse {
    .object(status) { writer in
      if let data {
        writer.name("data")
        writer.raw(data)
      }
      writer.member("errors", list: failures) { writer, failure in
        writer.object { writer in
          writer.member("message", failure.message)
          if !failure.path.isEmpty {
            writer.member("path", list: failure.path) { $0.string($1) }
          }
        }
      }
    }
  }
}

/// One operation carried out: its data and its failures.
private struct Execution {
  typealias Problem = GraphQLDocument.Problem

  let operation: GraphQLDocument.Operation
  let given: JSONNode?
  private(set) var failures: [GraphQLAPI.Failure] = []

  init(operation: GraphQLDocument.Operation, given: JSONNode?) {
    self.operation = operation
    self.given = given
  }

  private static let users = ["Ada", "Björn", "Chidi", "Dana", "Emre", "Farah"]

  mutating func run() throws(Problem) -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for field in operation.selection {
      writer.name(field.key)
      try write(field, &writer)
    }
    writer.endObject()
    return writer.bytes
  }

  private mutating func write(
    _ field: GraphQLDocument.Field, _ writer: inout JSONWriter
  ) throws(Problem) {
    switch (operation.kind, field.name) {
    case ("query", "user"):
      guard let text = try text("id", of: field) else {
        throw Problem(message: "the argument 'id' of 'user' is needed")
      }
      guard let id = Int(text), Self.users.indices.contains(id - 1) else {
        failures.append(
          GraphQLAPI.Failure(message: "user \(text) does not exist", path: [field.key]))
        return writer.null()
      }
      try write(id, Self.users[id - 1], field, &writer)
    case ("query", "users"):
      let count = try text("first", of: field).flatMap { Int($0) } ?? Self.users.count
      writer.beginArray()
      for id in Self.users.indices.prefix(max(0, count)) {
        try write(id + 1, Self.users[id], field, &writer)
      }
      writer.endArray()
    case ("mutation", "createUser"):
      guard let name = try text("name", of: field) else {
        throw Problem(message: "the argument 'name' of 'createUser' is needed")
      }
      try write(101, name, field, &writer)
    default:
      throw Problem(message: "a \(operation.kind) has no field '\(field.name)'")
    }
  }

  private func write(
    _ id: Int, _ name: String, _ field: GraphQLDocument.Field, _ writer: inout JSONWriter
  ) throws(Problem) {
    guard !field.selection.isEmpty else {
      throw Problem(message: "'\(field.name)' needs a selection of its fields")
    }
    writer.beginObject()
    for part in field.selection {
      switch part.name {
      case "id": writer.member(part.key, "\(id)")
      case "name": writer.member(part.key, name)
      case "email": writer.member(part.key, "\(name.lowercased())@graph.example")
      case "__typename": writer.member(part.key, "User")
      default: throw Problem(message: "a User has no field '\(part.name)'")
      }
    }
    writer.endObject()
  }

  /// An argument as text, read through the variables; `nil` if it is missing or null.
  private func text(
    _ name: String, of field: GraphQLDocument.Field
  ) throws(Problem) -> String? {
    guard let value = field.arguments[name] else { return nil }
    guard case .variable(let variable) = value else { return text(of: value) }
    guard let declared = operation.variables[variable] else {
      throw Problem(message: "the variable '$\(variable)' is not declared")
    }
    if let node = given?[variable], !node.isNull { return node.string ?? node.text }
    guard let declared else { throw Problem(message: "the variable '$\(variable)' has no value") }
    return text(of: declared)
  }

  private func text(of value: GraphQLDocument.Value) -> String? {
    switch value {
    case .text(let text), .number(let text): text
    case .boolean(let value): "\(value)"
    case .null, .variable: nil
    }
  }
}
