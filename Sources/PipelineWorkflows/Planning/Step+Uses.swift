import PipelineJSONPaths
import PipelineTemplates

extension Block {
  /// What the block's `outputs` read.
  package var outputUses: [Use] {
    var collector = UseCollector()
    collector.add(outputs, .waits)
    return collector.uses
  }

  /// What the file's state will be reads.
  package var nextUses: [Use] {
    var collector = UseCollector()
    collector.add(next, .waits)
    return collector.uses
  }
}

extension Step {
  /// What decides what one unit of the step does, and how its answer is judged: neither what
  /// decides whether it is carried out, nor what stands in for a failure.
  package var unitUses: [Use] {
    var collector = UseCollector()
    collector.add(action)
    collector.add(expect)
    return collector.uses
  }
}

extension UseCollector {
  mutating func add(_ iteration: Iteration) {
    switch iteration.source.value {
    case .query(let query): add(scope: query, .needs)
    case .list(let list): add(list, .needs)
    case .range(let from, let to, let by):
      add(from, .needs, .bound)
      add(to, .needs, .bound)
      add(by, .needs, .bound)
    }
    add(iteration.concurrencyData, .needs, .bound)
    add(iteration.batchData, .needs, .bound)
  }

  mutating func add(_ action: Step.Action) {
    switch action {
    case .request(let request): add(request)
    case .call(let call): add(call.inputs, .needs)
    case .block, .wait: break
    // It must fail, whatever of the message is missing.
    case .fail(let failure):
      add(failure.message, .waits)
      add(failure.details, .waits)
    case .values(let fields): add(fields, .needs)
    }
  }

  mutating func add(_ expectation: Expectation) {
    for check in expectation.checks {
      add(check.condition, .waits)
      add(check.message, .waits)
    }
  }

  private mutating func add(_ request: Request) {
    add(request.baseURL, .needs)
    add(request.endpoint, .needs)
    for parameter in request.query {
      add(parameter.value, .needs, .parameter(parameter.style))
    }
    add(request.headers, .needs, .header)
    add(request.cookies, .needs, .cookie)
    if let auth = request.auth { add(auth.scheme) }
    add(request.tls?.ca, .needs)
    add(request.tls?.cert, .needs)
    add(request.tls?.key, .needs)
    add(request.proxy, .needs)
    if let body = request.body { add(body.content) }
    for extractor in request.extract { add(extractor) }
    add(request.retry.when, .waits)
    add(request.poll?.until, .waits)
    add(request.poll?.failWhen, .waits)
    if let paginate = request.paginate { add(paginate) }
    add(request.save, .needs)
  }

  private mutating func add(_ scheme: Auth.Scheme) {
    switch scheme {
    case .bearer(let token):
      add(token, .needs, .credential)
    case .basic(let user, let password), .digest(let user, let password):
      add(user, .needs)
      add(password, .needs, .credential)
    case .oauth2(let oauth2):
      add(oauth2.tokenURL, .needs)
      add(oauth2.clientID, .needs)
      add(oauth2.clientSecret, .needs, .credential)
      for scope in oauth2.scopes { add(scope, .needs) }
      add(oauth2.refreshToken, .needs, .credential)
    case .awsSigV4(let signature):
      add(signature.service, .needs)
      add(signature.region, .needs)
      add(signature.accessKey, .needs)
      add(signature.secretKey, .needs, .credential)
      add(signature.sessionToken, .needs, .credential)
    }
  }

  private mutating func add(_ content: Body.Content) {
    switch content {
    case .json(let data): add(data, .needs)
    case .form(let parameters):
      for parameter in parameters { add(parameter.value, .needs, .field(parameter.style)) }
    case .multipart(let parts):
      for part in parts {
        add(part.name, .needs)
        switch part.content {
        case .value(let data): add(data, .needs)
        case .file(let path): add(path, .needs, .file)
        }
        add(part.filename, .needs)
        add(part.contentType, .needs, .header)
      }
    case .text(let text): for line in text.lines { add(line, .needs) }
    case .file(let path): add(path, .needs)
    case .graphQL(let query, let variables, let operationName):
      for line in query.lines { add(line, .needs) }
      add(variables, .needs)
      add(operationName, .needs)
    }
  }

  private mutating func add(_ extractor: Extractor) {
    switch extractor.source {
    case .body(let query): add(body: query, .needs)
    case .value(let data): add(data, .needs)
    case .header, .headers, .cookie, .status, .url, .text, .regex: break
    }
  }

  private mutating func add(_ paginate: Pagination) {
    switch paginate.form {
    case .link: break
    case .next(let query), .cursor(let query, _): add(body: query, .needs)
    case .page(_, _, _, let query), .offset(_, _, let query): add(body: query, .needs)
    }
    add(paginate.while, .waits)
    add(body: paginate.items, .needs)
  }
}
