package import PipelineJSONPaths
import PipelineTemplates

extension Step {
  /// Calls `visit` with each part of the step that is read once per item.
  ///
  /// The parts of its `forEach` are apart, because they are read before there is an item:
  /// `Iteration.forEachPart`. The steps of its block have their own parts.
  package func forEachPart(_ visit: (StepPart) -> Void) {
    Self.forEachPart(
      when: when, action: action, expect: expect, otherwise: otherwise, iteration: forEach, visit)
  }

  /// Calls `visit` with the parts of a step that consists of these.
  package static func forEachPart(
    when: Written<Condition>?, action: Action, expect: Expectation, otherwise: [Field]?,
    iteration: Iteration?, _ visit: (StepPart) -> Void
  ) {
    if let when { visit(.condition(when, .when)) }
    action.forEachPart(visit)
    expect.forEachPart(visit)
    for field in otherwise ?? [] { visit(.data(field.value, mode: .waits)) }
    if let until = iteration?.until { visit(.condition(until, .row)) }
  }
}

extension Step.Action {
  func forEachPart(_ visit: (StepPart) -> Void) {
    switch self {
    case .request(let request): request.forEachPart(visit)
    case .call(let call): for field in call.inputs { visit(.data(field.value)) }
    case .block, .wait: break
    case .fail(let failure):
      // The step fails even if a value of its message is missing.
      visit(.text(failure.message, mode: .waits))
      if let details = failure.details { visit(.data(details, mode: .waits)) }
    case .values(let fields): for field in fields { visit(.data(field.value)) }
    }
  }
}

extension Expectation {
  func forEachPart(_ visit: (StepPart) -> Void) {
    for check in checks {
      visit(.condition(check.condition, .expect))
      if let message = check.message { visit(.text(message, mode: .waits)) }
    }
  }
}

extension Iteration {
  /// Calls `visit` with each part that is read before there is an item.
  package func forEachPart(_ visit: (StepPart) -> Void) {
    switch source.value {
    case .query(let query): visit(StepPart(content: .scopeQuery(query), mode: .needs))
    case .list(let list): visit(.data(list))
    case .range(let from, let to, let by):
      visit(.data(from, .bound))
      visit(.data(to, .bound))
      if let by { visit(.data(by, .bound)) }
    }
    if let concurrencyData { visit(.data(concurrencyData, .bound)) }
    if let batchData { visit(.data(batchData, .bound)) }
  }
}

extension Request {
  fileprivate func forEachPart(_ visit: (StepPart) -> Void) {
    if let baseURL { visit(StepPart(content: .baseURL(baseURL), mode: .needs)) }
    visit(StepPart(content: .endpoint(endpoint), mode: .needs))
    for origin in sendCredentials where !origin.value.url.references.isEmpty {
      visit(StepPart(content: .baseURL(origin), mode: .needs))
    }
    for parameter in query { visit(.parameter(parameter, .parameter(parameter.style))) }
    for header in headers { visit(.parameter(header, .header)) }
    for cookie in cookies { visit(.parameter(cookie, .cookie)) }
    if let auth {
      auth.scheme.forEachPart { visit($0.inherited(auth.isInherited)) }
    }
    if let tls {
      for file in [tls.ca, tls.cert, tls.key] {
        if let file { visit(.path(file).inherited(tls.isInherited)) }
      }
    }
    if let proxy { visit(.text(proxy)) }
    if let body {
      body.content.forEachPart { visit($0.inherited(body.isInherited)) }
    }
    for extractor in extract { extractor.forEachPart(visit) }
    if let when = retry.when { visit(.condition(when, .answer)) }
    if let until = poll?.until { visit(.condition(until, .poll)) }
    if let failWhen = poll?.failWhen { visit(.condition(failWhen, .poll)) }
    paginate?.forEachPart(visit)
    if let save { visit(.text(save)) }
    if let settle {
      settle.step.forEachPart(visit)
      visit(.condition(settle.done, .answer))
    }
  }
}

extension Auth.Scheme {
  fileprivate func forEachPart(_ visit: (StepPart) -> Void) {
    switch self {
    case .bearer(let token): visit(.text(token, .credential))
    case .basic(let user, let password), .digest(let user, let password):
      visit(.text(user))
      visit(.text(password, .credential))
    case .oauth2(let oauth2):
      visit(StepPart(content: .url(oauth2.tokenURL), mode: .needs))
      visit(.text(oauth2.clientID))
      if let secret = oauth2.clientSecret { visit(.text(secret, .credential)) }
      for scope in oauth2.scopes { visit(.text(scope)) }
      if let token = oauth2.refreshToken { visit(.text(token, .credential)) }
    case .awsSigV4(let signature):
      visit(.text(signature.service))
      visit(.text(signature.region))
      visit(.text(signature.accessKey))
      visit(.text(signature.secretKey, .credential))
      if let token = signature.sessionToken { visit(.text(token, .credential)) }
    }
  }
}

extension Body.Content {
  fileprivate func forEachPart(_ visit: (StepPart) -> Void) {
    switch self {
    case .json(let data): visit(.data(data))
    case .form(let fields):
      for field in fields { visit(.parameter(field, .field(field.style))) }
    case .multipart(let parts):
      for part in parts {
        visit(.text(part.name))
        switch part.content {
        case .value(let data): visit(.data(data))
        case .file(let path): visit(.path(path, .file))
        }
        if let filename = part.filename { visit(.text(filename)) }
        if let contentType = part.contentType { visit(.text(contentType, .header)) }
      }
    case .text(let text): for line in text.lines { visit(.text(line)) }
    case .file(let path): visit(.path(path))
    case .graphQL(let query, let variables, let operationName):
      for line in query.lines { visit(.text(line)) }
      if let variables { visit(.data(variables)) }
      if let operationName { visit(.text(operationName)) }
    }
  }
}

extension Extractor {
  fileprivate func forEachPart(_ visit: (StepPart) -> Void) {
    switch source {
    case .body(let query): visit(.bodyQuery(query))
    case .value(let data): visit(.data(data))
    case .header, .headers, .cookie, .status, .url, .text, .regex: break
    }
  }
}

extension Pagination {
  fileprivate func forEachPart(_ visit: (StepPart) -> Void) {
    if let query = form.query { visit(.bodyQuery(query)) }
    if let condition = self.while { visit(.condition(condition, .answer)) }
    if let items { visit(.bodyQuery(items)) }
  }
}

extension StepPart {
  fileprivate static func text(
    _ template: Written<Template>, _ site: Site = .text, mode: Use.Mode = .needs
  ) -> StepPart {
    StepPart(content: .text(template, site), mode: mode)
  }

  fileprivate static func path(_ template: Written<Template>, _ site: Site = .text) -> StepPart {
    StepPart(content: .path(template, site), mode: .needs)
  }

  fileprivate static func data(
    _ data: DataTemplate, _ site: Site = .data, mode: Use.Mode = .needs
  ) -> StepPart {
    StepPart(content: .data(data, site), mode: mode)
  }

  fileprivate static func parameter(_ parameter: Request.Parameter, _ site: Site) -> StepPart {
    data(parameter.value, site).inherited(parameter.isInherited)
  }

  fileprivate static func bodyQuery(_ query: Written<Query>) -> StepPart {
    StepPart(content: .bodyQuery(query), mode: .needs)
  }

  /// A condition waits for its values: what is missing is absent in it.
  fileprivate static func condition(
    _ condition: Written<Condition>, _ place: ConditionPlace
  ) -> StepPart {
    StepPart(content: .condition(condition, place), mode: .waits)
  }

  fileprivate func inherited(_ isInherited: Bool) -> StepPart {
    var part = self
    part.isInherited = isInherited
    return part
  }
}
