internal import PipelineByteText
package import PipelineJSONText
internal import PipelineLanguage
package import PipelineOpenAPI

/// A workflow that calls operations of an API, made of its description.
///
/// Steps come in the order of their data: a value that the description says a response gives is
/// extracted there, with the evidence in `$comment`. Everything else that is required becomes a typed
/// input. What is optional is left out.
package struct DescribedWorkflow {
  let description: APIDescription
  private let operations: [Operation]
  private let data: DataOrder
  /// What could not be taken over, one phrase each.
  package private(set) var notes: [String] = []
  var inputs = DescribedInputs()
  /// How many members of the body that is being written there are, at all depths.
  var bodyMemberCount = 0
  private var ids: [String] = []
  private var extractors: [[(name: String, query: String)]] = []
  private var names: [ImportedName] = []

  package init(_ operations: [Operation], of description: APIDescription) {
    self.description = description
    self.operations = operations
    data = DataOrder(operations, in: description)
    var stepNames = ImportedName(.scope)
    for operation in operations {
      let words = operation.method.lowercased() + " " + operation.path
      ids.append(stepNames.next(for: operation.id ?? words, otherwise: "call"))
      extractors.append([])
      names.append(ImportedName(.value))
    }
  }

  // MARK: File

  /// The workflow.
  package mutating func workflow() -> JSONValue {
    let order = data.order
    for flow in data.flows.joined() {
      _ = extractor(flow.query, named: flow.parameter.name, of: flow.producer)
    }
    let base = order.first.map { self.base(of: operations[$0]) }
    let credentials = order.map { description.security(of: operations[$0]) }
    let shared = credentials.first.flatMap { first in
      credentials.allSatisfy { $0 == first } ? first : nil
    }
    var defaults: [JSONValue.Member] = []
    if let base { defaults.append(.init("baseURL", .string(base))) }
    if let shared {
      let settings = settings(of: shared)
      if hasSecret(settings.query) {
        defaults.insert(.init("$lint", ["ignore": .object([Self.secretInURL])]), at: 0)
      }
      defaults += settings.members
    }
    var outputs: [JSONValue.Member] = []
    for position in order {
      guard let name = resultName(of: position) else { continue }
      outputs.append(.init(ids[position], .string("{{\(ids[position]).\(name)}}")))
    }
    var steps: [JSONValue] = []
    for (number, position) in order.enumerated() {
      steps.append(step(position, shared == nil ? credentials[number] : [], base))
    }
    return file(defaults, steps, outputs)
  }

  private func file(
    _ defaults: [JSONValue.Member], _ steps: [JSONValue], _ outputs: [JSONValue.Member]
  ) -> JSONValue {
    var file: [JSONValue.Member] = [.init("format", 1)]
    if let title = description.title, !title.isEmpty { file.append(.init("name", .string(title))) }
    if !inputs.members.isEmpty { file.append(.init("inputs", .object(inputs.members))) }
    if !defaults.isEmpty { file.append(.init("defaults", .object(defaults))) }
    if steps.count > 1 { file.append(.init("order", "listed")) }
    file.append(.init("steps", .array(steps)))
    if !outputs.isEmpty { file.append(.init("outputs", .object(outputs))) }
    return .object(file)
  }

  /// The URL that the paths of an operation are below.
  private mutating func base(of operation: Operation) -> String {
    if let server = description.servers(of: operation).first, server.contains(bytes: "://") {
      return server
    }
    let input = inputs.text("server", "The URL of the API; the description does not say it.")
    let path = description.servers(of: operation).first ?? ""
    return "{{inputs.\(input)}}" + (path.isEmpty || path.hasPrefix(bytes: "/") ? path : "/" + path)
  }

  // MARK: Steps

  private mutating func step(
    _ position: Int, _ credentials: [SecurityScheme], _ base: String?
  ) -> JSONValue {
    let operation = operations[position]
    let flows = data.flows[position]
    var step: [JSONValue.Member] = [.init("id", .string(ids[position]))]
    if !flows.isEmpty {
      step.append(.init("$comment", .string(flows.map(\.evidence).joined(separator: "; "))))
    }
    let marker = step.count
    if let text = operation.summary.map(DescribedInputs.sentence), !text.isEmpty {
      step.append(.init("description", .string(text)))
    }
    var request = parameters(of: position)
    if let body = description.body(of: operation) { self.body(body, of: operation, &request) }
    let auth = settings(of: credentials)
    request.query += auth.query
    request.headers += auth.headers
    let own = self.base(of: operation)
    step.append(
      .init("endpoint", .string(operation.method + " " + (own == base ? "" : own) + request.path)))
    if !request.query.isEmpty { step.append(.init("query", .object(request.query))) }
    if !request.headers.isEmpty { step.append(.init("headers", .object(request.headers))) }
    if let auth = auth.auth { step.append(.init("auth", auth)) }
    if let body = request.body { step.append(.init("body", body)) }
    if let silence = silence(of: request) { step.insert(silence, at: marker) }
    if let pages = DescribedPages(operation, in: description) {
      step.append(.init("paginate", pages.settings))
    }
    if !extractors[position].isEmpty {
      let extract = extractors[position].map { JSONValue.Member($0.name, .string($0.query)) }
      step.append(.init("extract", .object(extract)))
    }
    return .object(step)
  }

  /// Silences what lint advises against, but the API requires.
  private func silence(of request: Request) -> JSONValue.Member? {
    guard inputs.hasSecret(in: request.path) || hasSecret(request.query) else { return nil }
    return .init("$lint", ["ignore": .object([Self.secretInURL])])
  }

  private static let secretInURL = JSONValue.Member(
    "secret-in-url", "the description takes the credential only there")

  private func hasSecret(_ query: [JSONValue.Member]) -> Bool {
    query.contains {
      if case .string(let text) = $0.value { inputs.hasSecret(in: text) } else { false }
    }
  }

  /// The name of the extractor for what an operation is called for: the records of all pages, or the
  /// whole body of a `GET`.
  private mutating func resultName(of position: Int) -> String? {
    let operation = operations[position]
    guard operation.method == "GET" else { return nil }
    let successes = description.successes(of: operation)
    guard !successes.isEmpty, successes.allSatisfy({ $0.schema != nil }) else { return nil }
    let pages = DescribedPages(operation, in: description)
    return extractor(pages?.items ?? "$", named: pages == nil ? "result" : "items", of: position)
  }

  /// The name of an extractor of a step, which is added if the step lacks it.
  private mutating func extractor(
    _ query: String, named word: String, of position: Int
  ) -> String {
    if let known = extractors[position].first(where: { $0.query == query }) { return known.name }
    let name = names[position].next(for: word, otherwise: "value")
    extractors[position].append((name, query))
    return name
  }

  // MARK: Parameters

  /// A request that is being written.
  struct Request {
    var path: String
    var query: [JSONValue.Member] = []
    var headers: [JSONValue.Member] = []
    var body: JSONValue?
  }

  private mutating func parameters(of position: Int) -> Request {
    var request = Request(path: operations[position].path)
    var cookies: [String] = []
    for parameter in description.parameters(of: operations[position]) where parameter.isRequired {
      guard parameter.place != .body, parameter.place != .formData, !parameter.isIgnored else {
        continue
      }
      let value = value(of: parameter, position)
      switch parameter.place {
      case .path:
        let prefix = prefix(of: parameter, position)
        request.path = request.path.replacing(bytes: "{\(parameter.name)}", with: prefix + value)
      case .query:
        request.query.append(.init(parameter.name, parameter.styled(.string(value))))
      case .header: request.headers.append(.init(parameter.name, .string(value)))
      case .cookie: cookies.append("\(parameter.name)=\(value)")
      case .querystring:
        notes.append(
          "\(operations[position].signature): the parameter '\(parameter.name)' is the whole query"
            + " and is left out")
      case .body, .formData: continue
      }
    }
    if !cookies.isEmpty {
      request.headers.append(.init("Cookie", .string(cookies.joined(separator: "; "))))
    }
    fillUndescribed(&request, operations[position])
    return request
  }

  /// What comes before a value in a path: `;id=` with the style `matrix`, a dot with `label`.
  private mutating func prefix(of parameter: Parameter, _ position: Int) -> String {
    guard let style = parameter.node.node["style"]?.string, ["matrix", "label"].contains(style)
    else { return "" }
    let isSeveral = ["array", "object"].contains(parameter.schema.type)
    if isSeveral, parameter.node.node["explode"]?.boolean == true {
      note(
        "\(operations[position].signature): the values of '\(parameter.name)' are written with"
          + " commas, and not in the style '\(style)' with 'explode'")
    }
    return style == "label" ? "." : ";\(parameter.name)="
  }

  /// Parameters in the path that the description lacks are inputs too.
  private mutating func fillUndescribed(_ request: inout Request, _ operation: Operation) {
    for piece in operation.path.split(ascii: "{").dropFirst(
      operation.path.hasPrefix(bytes: "{") ? 0 : 1)
    {
      guard piece.contains(bytes: "}") else { continue }
      let name = String(piece.prefix(before: "}"))
      guard request.path.contains(bytes: "{\(name)}"), !name.isEmpty,
        !request.path.contains(bytes: "{{\(name)}")
      else { continue }
      let input = inputs.text(name, "A part of the path that the description does not explain.")
      request.path = request.path.replacing(bytes: "{\(name)}", with: "{{inputs.\(input)}}")
    }
  }

  private mutating func value(of parameter: Parameter, _ position: Int) -> String {
    if let flow = data.flows[position].first(where: {
      $0.parameter.name == parameter.name && $0.parameter.place == parameter.place
    }) {
      let name = extractor(flow.query, named: parameter.name, of: flow.producer)
      return "{{\(ids[flow.producer]).\(name)}}"
    }
    if case .text(let separators)? = parameter.joining {
      let text = "Values with \(separators) between them."
      return "{{inputs.\(inputs.text(parameter.name, text))}}"
    }
    return "{{inputs.\(inputs.input(parameter.name, parameter.schema, text: parameter.text))}}"
  }

  // MARK: Credentials

  struct Credentials {
    var auth: JSONValue?
    var query: [JSONValue.Member] = []
    var headers: [JSONValue.Member] = []

    var members: [JSONValue.Member] {
      (query.isEmpty ? [] : [.init("query", .object(query))])
        + (headers.isEmpty ? [] : [.init("headers", .object(headers))])
        + (auth.map { [.init("auth", $0)] } ?? [])
    }
  }

  private mutating func settings(of schemes: [SecurityScheme]) -> Credentials {
    var settings = Credentials()
    for scheme in schemes {
      switch scheme {
      case .bearer: settings.auth = ["bearer": .string(secret("token"))]
      case .basic: settings.auth = ["basic": userAndPassword()]
      case .digest: settings.auth = ["digest": userAndPassword()]
      case .oauth2(let flow?):
        let client = inputs.text("clientId", "The client's public name.")
        // Programs of people need no secret.
        let key = secret("clientSecret", isOptional: flow.loginURL != nil)
        let oauth2 = OAuth2Settings(
          flow, clientID: .string("{{inputs.\(client)}}"), clientSecret: .string(key))
        settings.auth = ["oauth2": oauth2.json]
      case .oauth2(nil):
        settings.auth = ["bearer": .string(secret("token"))]
        note(Self.unfetchedToken)
      case .apiKey(let name, let place): add(name, in: place, to: &settings)
      case .other(let name):
        note("the security scheme '\(name)' has no counterpart; add what it needs")
      }
    }
    return settings
  }

  private mutating func add(_ name: String, in place: String, to settings: inout Credentials) {
    if place == "header", name.equalsIgnoringASCIICase("authorization") {
      settings.auth = ["bearer": .string(secret("token"))]
      return
    }
    let value = secret(name)
    switch place {
    case "query": settings.query.append(.init(name, .string(value)))
    case "cookie": settings.headers.append(.init("Cookie", .string("\(name)=\(value)")))
    default: settings.headers.append(.init(name, .string(value)))
    }
  }

  mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  /// What is said if the description has no flow by which a run gets a token.
  static let unfetchedToken =
    "the description names no flow of OAuth 2.0 by which a run gets a token, so the token is a secret"
    + " input"

  private mutating func secret(_ word: String, isOptional: Bool = false) -> String {
    let source = "credential " + word
    return "{{inputs.\(inputs.secret(word, source: source, isOptional: isOptional))}}"
  }

  private mutating func userAndPassword() -> JSONValue {
    let user = inputs.input("user", nil, text: "The user's name.")
    return ["user": .string("{{inputs.\(user)}}"), "password": .string(secret("password"))]
  }
}
