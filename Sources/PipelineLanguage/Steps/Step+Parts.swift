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
    if let every = iteration?.rounds?.every { visit(.text(every)) }
  }
}

extension Step.Action {
  func forEachPart(_ visit: (StepPart) -> Void) {
    switch self {
    case .request(let request): request.forEachPart(visit)
    case .call(let call): for field in call.inputs { visit(.data(field.value)) }
    case .block(let block):
      for by in block.itemState.compactMap(\.by) { visit(.text(by)) }
    case .wait: break
    case .say(let text): visit(.text(text))
    case .ask(let question): visit(.text(question.text))
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
    case .list(let list), .windows(let list): visit(.data(list))
    case .range(let from, let to, let by):
      visit(.data(from, .bound))
      visit(.data(to, .bound))
      if let by { visit(.data(by, .bound)) }
    case .rounds(let rounds):
      for value in rounds.carried { if let first = value.first { visit(.data(first)) } }
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
      auth.scheme.form.forEachPart { visit($0.inherited(auth.isInherited)) }
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
    if let until = read?.until { visit(.condition(until, .event)) }
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

extension Extractor {
  fileprivate func forEachPart(_ visit: (StepPart) -> Void) {
    switch source {
    case .body(let query): visit(.bodyQuery(query))
    case .value(let data): visit(.data(data))
    case .header, .headers, .cookie, .status, .url, .text: break
    }
  }
}

extension Pagination {
  fileprivate func forEachPart(_ visit: (StepPart) -> Void) {
    for source in form.sources { source.extractor.forEachPart(visit) }
    for case let first? in form.carried.map(\.first) { visit(.data(first)) }
    if let condition = self.while { visit(.condition(condition, .answer)) }
    if let items { visit(.bodyQuery(items)) }
  }
}
