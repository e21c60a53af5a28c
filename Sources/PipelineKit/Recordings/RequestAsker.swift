internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
public import PipelineRecordings
internal import PipelineWorkflows

/// Who asks: what a transport that records or replays knows of a request besides the request.
public final class RequestAsker: Sendable {
  /// Which step asks, for which item, page, poll and attempt.
  public let key: RecordingKey
  private let run: RequestRun
  private let parts: RequestRun.Parts

  init(_ run: RequestRun, _ parts: RequestRun.Parts, attempt: Int) {
    self.run = run
    self.parts = parts
    let (unit, value) = (run.unit, parts.value)
    key =
      value.isForToken
      ? RecordingKey(step: "", attempt: attempt)
      : RecordingKey(
        step: unit.label.id, path: unit.label.path, item: unit.item, page: value.page,
        poll: value.poll, attempt: attempt, redirect: value.redirect)
  }

  // MARK: Secrets

  private var redactor: Redactor { run.context.redactor }

  /// Hides what the step takes out of a response as a secret, before anything of it is written.
  func noteSecrets(of response: TransportResponse) {
    if parts.value.isForToken {
      guard let body = try? JSONDocument.parse(response.body).root else { return }
      if let token = body["access_token"] { redactor.hide(token, as: "oauth2.token") }
      if let token = body["refresh_token"] { redactor.hide(token, as: "oauth2.refreshToken") }
      if let token = body["id_token"] { redactor.hide(token, as: "oauth2.idToken") }
    } else if run.plan.hasSecretExtractors {
      ResponseSecrets.hide(
        answer(response).body(isRead: true), in: run.step, page: parts.value.page)
    }
  }

  private func answer(_ response: TransportResponse) -> RequestRun.Answer {
    RequestRun.Answer(response, to: parts, sentCount: 0)
  }

  /// A text of the request with the names of secrets in their places.
  func named(_ text: [UInt8]) -> [UInt8] { named(text, [known]) }

  func named(_ text: String) -> String {
    String(decoding: named(Array(text.utf8)), as: UTF8.self)
  }

  private var known: KnownSecrets { run.step.secrets }

  private func named(
    _ text: [UInt8], _ known: [KnownSecrets], _ use: (String) -> Void = { _ in }
  ) -> [UInt8] {
    var found = redactor.places(in: text)
    for secrets in known { found.add(secrets.places(in: text)) }
    guard !found.isEmpty, let names = redactor.names else { return text }
    return found.replaced(in: text) { secret in
      let name = names.name(of: secret)
      use(name)
      return SecretPlaceholder.text(name)
    }
  }

  /// A response as it may be written down, and the shapes of the secrets that it held, by name.
  func named(
    _ response: TransportResponse
  ) -> (headers: [HeaderField], body: [UInt8], shapes: [String: String]) {
    noteSecrets(of: response)
    let found = ResponseSecrets.of(
      answer(response).body(isRead: true), in: run.step)
    let known = [known, found?.values].compactMap { $0 }
    var shapes: [String: String] = [:]
    func use(_ name: String) { shapes[name] = redactor.names?.shape(of: name) }
    let headers = response.headers.map { field in
      HeaderField(
        field.name,
        String(decoding: named(Array(field.value.utf8), known, use), as: UTF8.self))
    }
    if found?.mayBeAnywhere == true {
      // A secret was expected in it and not found, so nobody knows if it is.
      return (headers, SecretPlaceholder.text(key.step + ".body"), shapes)
    }
    return (headers, named(response.body, known, use), shapes)
  }

  /// The outcome of a request in a form that may be written down, and the shapes of the secrets in
  /// it.
  func outcome(
    _ result: Result<TransportResponse, TransportError>, _ aliases: [OriginAlias]
  ) -> (outcome: RecordedExchange.Outcome, shapes: [String: String]) {
    switch result {
    case .success(let response):
      let named = named(response)
      let headers = named.headers.map {
        RecordedField($0.name, aliases.applied(to: $0.value))
      }
      let written = RecordedExchange.Response(
        status: response.status, headers: headers, body: aliases.applied(to: named.body),
        version: response.version)
      return (.response(written), named.shapes)
    case .failure(let error):
      let message = aliases.applied(to: self.named(error.message))
      return (.failure(kind: error.kind.rawValue, message: message), [:])
    }
  }

  // MARK: Values

  /// The values that each extractor of the step finds in a response, secrets hidden.
  func values(in response: TransportResponse) -> [ShownExchange.Value] {
    if parts.value.isForToken { return [] }
    let body = answer(response).body(isRead: true)
    let reader = ResponseReader(step: run.step, body: body, attempts: 1)
    return run.plan.extractors.map { plan in
      let extractor = plan.extractor
      var paths: [String] = []
      var query: String?
      if case .body(let written) = extractor.source {
        query = written.value.text
        if let json = body.json {
          let context = run.unit.scope.queryContext(body: json)
          paths = written.value.located(in: context).map(\.path)
        }
      }
      return ShownExchange.Value(
        name: extractor.name, query: query, found: found(by: plan, reader), paths: paths)
    }
  }

  private func found(by plan: ExtractorPlan, _ reader: ResponseReader) -> ShownExchange.Found {
    do throws(FailureReason) {
      var writer = JSONWriter(style: .compact)
      writer.beginObject()
      try Extraction(plan: plan, reader: reader).write(to: &writer)
      writer.endObject()
      guard let value = writer.document().root[plan.extractor.name] else { return .absent }
      if plan.extractor.isSecret { return .value(Redactor.mask) }
      return .value(String(decoding: named(Array(value.utf8)), as: UTF8.self))
    } catch {
      return .failure(named(error.message))
    }
  }

  // MARK: Origins

  /// The read that caused a text of the request: `{{login.token}}`.
  func origin(of text: String) -> String? {
    let step = run.unit.stepPlan.step
    let context = run.unit.scope.queryContext()
    var best: (use: String, length: Int)?
    for use in step.uses {
      guard let node = use.query.first(in: context) else { continue }
      let value = node.string ?? node.text
      guard !value.isEmpty, named(text).contains(bytes: named(value)),
        value.utf8.count > best?.length ?? 0
      else { continue }
      best = (use.query.text, value.utf8.count)
    }
    return best?.use
  }
}
