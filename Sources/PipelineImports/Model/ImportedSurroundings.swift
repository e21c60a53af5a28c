internal import PipelineByteText

/// What files have beside requests: the values of variables, logins, and mocked responses.
struct ImportedSurroundings: Sendable {
  private(set) var environments: [(name: String, values: [ImportedCollection.Variable])] = []
  /// Variables that hold in each environment, unless something else gives them.
  var globals: [ImportedCollection.Variable] = []
  /// The settings of tokens by the names that requests have for them.
  var logins: [(name: String, settings: OAuth2Settings<ForeignText>)] = []
  var mocks: [MockedRoute] = []

  /// Adds the values of an environment. A later file goes before an earlier one.
  mutating func add(_ values: [ImportedCollection.Variable], to environment: String) {
    guard let index = environments.firstIndex(where: { $0.name.equals(bytes: environment) }) else {
      environments.append((environment, values))
      return
    }
    environments[index].values += values
  }

  mutating func add(_ other: ImportedSurroundings) {
    for (name, values) in other.environments { add(values, to: name) }
    globals += other.globals
    logins += other.logins
    mocks += other.mocks
  }

  /// Why there is no workflow if no file has requests; `nil` if there is nothing else, either.
  var problem: String? {
    if !mocks.isEmpty {
      return "it has only the responses of a mock server; name the file with the requests, too"
    }
    return environments.isEmpty && globals.isEmpty
      ? nil : "it has only the values of variables; name the file with the requests, too"
  }

  func apply(to collection: inout ImportedCollection, _ report: inout ImportReport) {
    for (name, values) in environments { collection.environments.append((name, values)) }
    for variable in globals where collection.variable(variable.name) == nil {
      collection.declare(variable)
    }
    collection.addExamples(of: mocks)
    for index in collection.requests.indices { logIn(&collection.requests[index], &report) }
  }

  /// A header `Authorization` with the token of a login becomes the settings of the token.
  private func logIn(_ request: inout ImportedRequest, _ report: inout ImportReport) {
    let place = request.headers.firstIndex { header in
      header.name.equalsIgnoringASCIICase("authorization")
        && header.value.parts.contains { if case .login = $0 { true } else { false } }
    }
    guard let place, case .login(let name)? = request.headers[place].value.parts.last,
      let login = logins.first(where: { $0.name.equals(bytes: name) })
    else { return }
    request.headers.remove(at: place)
    request.auth = .oauth2(login.settings)
  }
}
