import PipelineJSONPaths
import PipelineJSONText
import PipelineTemplates

/// Where a condition stands.
enum ConditionPlace {
  case when, expect, poll
  /// Of a row of a collection.
  case row
  /// Of an answer as it came, before anything is extracted.
  case answer
}

/// A condition of a workflow, taken apart once for all rules.
struct LintCondition {
  let written: Written<Condition>
  let place: ConditionPlace
  let walk: ConditionWalk

  init(_ written: Written<Condition>, _ place: ConditionPlace) {
    self.written = written
    self.place = place
    walk = ConditionWalk(written.value.expression)
  }

  func range(of part: Range<Int>) -> Range<Int> { written.range(of: part) }
}

/// The queries, conditions and texts of a step, each with its place; what it reads, and where that
/// goes, is among its uses.
struct StepParts {
  /// Queries of the response's body that hold other queries.
  private(set) var nestingQueries: [Written<Query>] = []
  private(set) var conditions: [LintCondition] = []
  /// The function calls in conditions and in filters, each with the string that it stands in.
  private(set) var calls: [(call: FunctionCall, node: JSONNode)] = []
  /// Strings of the author's own: URLs, headers, data.
  private(set) var literals: [(node: JSONNode, site: Site)] = []
  /// The queries that compute a key, each with the string that it stands in.
  private(set) var keyedQueries: [(query: Query, node: JSONNode, isOfBody: Bool)] = []
  /// Data with forms that take values of one type.
  private(set) var forms: [DataTemplate] = []

  init() {}

  /// The parts of values that are made when the steps of a block have ended.
  init(fields: [Field]) { add(fields) }

  init(_ step: Step) {
    add(step.forEach)
    add(step.when, .when)
    switch step.action {
    case .request(let request): add(request)
    case .call(let call): add(call.inputs)
    case .values(let fields): add(fields)
    case .fail(let failure):
      add(failure.message, .text)
      if let details = failure.details { add(details, .data) }
    case .block, .wait: break
    }
    add(step.forEach?.until, .row)
    for check in step.expect.checks {
      add(check.condition, .expect)
      add(check.message, .text)
    }
    add(step.otherwise)
  }

  private mutating func add(_ condition: Written<Condition>?, _ place: ConditionPlace) {
    guard let condition else { return }
    let taken = LintCondition(condition, place)
    conditions.append(taken)
    for call in taken.walk.calls { calls.append((call, condition.node)) }
    for query in taken.walk.queries { noteKeys(of: query, in: condition.node) }
  }

  private mutating func add(body query: Written<Query>) {
    guard query.value.hasInner else { return }
    noteKeys(of: query.value, in: query.node, isOfBody: true)
    if query.value.references.absoluteQueries.count > 1 { nestingQueries.append(query) }
    addCalls(in: query)
  }

  private mutating func noteKeys(of query: Query, in node: JSONNode, isOfBody: Bool = false) {
    if query.hasKey { keyedQueries.append((query, node, isOfBody)) }
  }

  private mutating func addCalls(in query: Written<Query>) {
    guard query.value.hasInner else { return }
    for call in ConditionWalk(filtersOf: query.value).calls { calls.append((call, query.node)) }
  }

  private mutating func add(_ fields: [Field]?) {
    for field in fields ?? [] { add(field.value, .data) }
  }

  private mutating func add(_ iteration: Iteration?) {
    switch iteration?.source.value {
    case .query(let query):
      addCalls(in: query)
      noteKeys(of: query.value, in: query.node)
    case .list(let list): add(list, .data)
    case .range(let from, let to, let by):
      add(from, .bound)
      add(to, .bound)
      if let by { add(by, .bound) }
    case nil: break
    }
    if let data = iteration?.concurrencyData { add(data, .bound) }
    if let data = iteration?.batchData { add(data, .bound) }
  }

  private mutating func add(_ request: Request) {
    add(request.endpoint)
    for parameter in request.query where !parameter.isInherited {
      add(parameter.value, .parameter(parameter.style))
    }
    for header in request.headers where !header.isInherited { add(header.value, .header) }
    for cookie in request.cookies where !cookie.isInherited { add(cookie.value, .cookie) }
    if let auth = request.auth, !auth.isInherited { add(auth) }
    if let tls = request.tls, !tls.isInherited {
      add(tls.ca, .text)
      add(tls.cert, .text)
      add(tls.key, .text)
    }
    add(request.proxy, .text)
    if let body = request.body { add(body) }
    for extractor in request.extract { add(extractor) }
    add(request.retry.when, .answer)
    if let poll = request.poll {
      add(poll.until, .poll)
      add(poll.failWhen, .poll)
    }
    if let paginate = request.paginate { add(paginate) }
    add(request.save, .text)
  }

  private mutating func add(_ auth: Auth) {
    switch auth.scheme {
    case .bearer(let token): add(token, .credential)
    case .basic(let user, let password), .digest(let user, let password):
      add(user, .text)
      add(password, .credential)
    case .oauth2(let oauth2):
      add(oauth2.tokenURL)
      add(oauth2.clientID, .text)
      for scope in oauth2.scopes { add(scope, .text) }
      add(oauth2.clientSecret, .credential)
      add(oauth2.refreshToken, .credential)
    case .awsSigV4(let signature):
      add(signature.service, .text)
      add(signature.region, .text)
      add(signature.accessKey, .text)
      add(signature.secretKey, .credential)
      add(signature.sessionToken, .credential)
    }
  }

  private mutating func add(_ body: Body) {
    switch body.content {
    case .json(let data): add(data, .data)
    case .form(let parameters):
      for parameter in parameters { add(parameter.value, .field(parameter.style)) }
    case .multipart(let parts):
      for part in parts {
        add(part.name, .text)
        if case .value(let data) = part.content { add(data, .data) }
        if case .file(let path) = part.content { add(path, .text) }
        add(part.filename, .text)
        add(part.contentType, .header)
      }
    case .text(let text): for line in text.lines { add(line, .text) }
    case .file(let path): add(path, .text)
    case .graphQL(let query, let variables, let name):
      for line in query.lines { add(line, .text) }
      if let variables { add(variables, .data) }
      add(name, .text)
    }
  }

  private mutating func add(_ extractor: Extractor) {
    switch extractor.source {
    case .body(let query): add(body: query)
    case .value(let data): add(data, .data)
    case .header, .headers, .cookie, .status, .url, .text, .regex: break
    }
  }

  private mutating func add(_ paginate: Pagination) {
    switch paginate.form {
    case .link: break
    case .next(let query), .cursor(let query, _): add(body: query)
    case .page(_, _, _, let query), .offset(_, _, let query):
      if let query { add(body: query) }
    }
    add(paginate.while, .answer)
    if let items = paginate.items { add(body: items) }
  }

  // MARK: - Templates

  private mutating func addLiteral(_ node: JSONNode, _ site: Site) {
    if literals.isEmpty { literals.reserveCapacity(4) }
    literals.append((node, site))
  }

  private mutating func add(_ endpoint: Written<Endpoint>) {
    addLiteral(endpoint.node, .url(.path))
  }

  mutating func add(_ url: Written<URLTemplate>) {
    addLiteral(url.node, .url(.path))
  }

  private mutating func add(_ template: Written<Template>?, _ site: Site) {
    guard let template else { return }
    addLiteral(template.node, site)
  }

  private mutating func add(_ data: DataTemplate, _ site: Site) {
    for (query, node) in data.queries {
      addCalls(in: Written(query, at: node))
      noteKeys(of: query, in: node)
    }
    if data.hasTypedForms { forms.append(data) }
    addLiteral(data.node, site)
  }
}
