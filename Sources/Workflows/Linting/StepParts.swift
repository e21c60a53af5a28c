import JSONPaths
import JSONText
import Templates

/// Where a value of the scope goes.
enum Site {
  /// A part of a URL.
  case url(Position)
  case header, cookie
  /// A parameter of the URL's query or a field of a form.
  case parameter(Request.Parameter.Style)
  /// JSON: a body, a value, an output.
  case data
  /// A text: a password, a path, a message.
  case text
  /// A bound of a range.
  case bound
  /// The text of a credential.
  case credential

  /// The site in a message: `a URL path takes one value`.
  var words: String {
    switch self {
    case .url(.path): "a URL path"
    case .url(.query): "a URL's query"
    case .url(.authority): "a URL's host"
    case .url: "a URL"
    case .header: "a header"
    case .cookie: "a cookie"
    case .parameter: "a parameter"
    case .data, .text: "a text"
    case .bound: "a range"
    case .credential: "a credential"
    }
  }
}

/// A `{{…}}` of a workflow, and where its value goes.
struct Insertion {
  let query: Query
  /// The reference with its braces, in the file.
  let range: Range<Int>
  let site: Site
  /// Whether it is the whole string, so that the value keeps its type.
  let isWhole: Bool
}

/// Where a condition stands.
enum ConditionPlace {
  case when, expect, poll
}

/// The templates, queries and conditions of a step, each with its place.
struct StepParts {
  private(set) var insertions: [Insertion] = []
  /// Queries of the scope: of `forEach` and of values.
  private(set) var scopeQueries: [Written<Query>] = []
  /// Queries of the response's body, with the extractor that each belongs to.
  private(set) var bodyQueries: [(query: Written<Query>, extractor: Extractor?)] = []
  private(set) var conditions: [(condition: Written<Condition>, place: ConditionPlace)] = []
  /// Strings of the author's own: URLs, headers, data.
  private(set) var literals: [(node: JSONNode, site: Site)] = []

  mutating func add(_ step: Step) {
    add(step.forEach)
    if let when = step.when { conditions.append((when, .when)) }
    switch step.action {
    case .request(let request): add(request)
    case .call(let call): add(call.inputs)
    case .values(let fields): add(fields)
    case .block, .wait: break
    }
    for check in step.expect.checks {
      conditions.append((check.condition, .expect))
      add(check.message, .text)
    }
    add(step.otherwise)
  }

  mutating func add(_ fields: [Field]?) {
    for field in fields ?? [] { add(field.value, .data) }
  }

  private mutating func add(_ iteration: Iteration?) {
    switch iteration?.source.value {
    case .query(let query): scopeQueries.append(query)
    case .list(let list): add(list, .data)
    case .range(let from, let to, let by):
      add(from, .bound)
      add(to, .bound)
      if let by { add(by, .bound) }
    case nil: break
    }
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
    if let poll = request.poll {
      conditions.append((poll.until, .poll))
      if let condition = poll.failWhen { conditions.append((condition, .poll)) }
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
      for parameter in parameters { add(parameter.value, .parameter(parameter.style)) }
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
    case .body(let query): bodyQueries.append((query, extractor))
    case .value(let data): add(data, .data)
    case .header, .cookie, .status, .url, .text, .regex: break
    }
  }

  private mutating func add(_ paginate: Pagination) {
    switch paginate.form {
    case .link: break
    case .next(let query), .cursor(let query, _): bodyQueries.append((query, nil))
    case .page(_, _, let query), .offset(_, _, let query):
      if let query { bodyQueries.append((query, nil)) }
    }
    if let items = paginate.items { bodyQueries.append((items, nil)) }
  }

  // MARK: - Templates

  private mutating func add(_ endpoint: Written<Endpoint>) {
    let written = endpoint.value
    for (reference, position) in written.url.references {
      insertions.append(
        Insertion(
          query: reference.query, range: endpoint.range(of: reference.range),
          site: .url(position), isWhole: false))
    }
    literals.append((endpoint.node, .url(.path)))
  }

  mutating func add(_ url: Written<URLTemplate>) {
    for (reference, position) in url.value.references {
      insertions.append(
        Insertion(
          query: reference.query, range: url.range(of: reference.range), site: .url(position),
          isWhole: false))
    }
    literals.append((url.node, .url(.path)))
  }

  private mutating func add(_ template: Written<Template>?, _ site: Site) {
    guard let template else { return }
    for reference in template.value.references {
      insertions.append(
        Insertion(
          query: reference.query, range: template.range(of: reference.range), site: site,
          isWhole: false))
    }
    literals.append((template.node, site))
  }

  private mutating func add(_ data: DataTemplate, _ site: Site) {
    for (query, node) in data.queries { scopeQueries.append(Written(query, at: node)) }
    for use in data.uses where !use.isQuery {
      insertions.append(
        Insertion(query: use.query, range: use.range, site: site, isWhole: use.isWhole))
    }
    literals.append((data.node, site))
  }
}
