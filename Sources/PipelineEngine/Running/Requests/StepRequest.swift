internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
package import PipelineRecordings
internal import PipelineURIs

/// The request of a step from the inside: what of it may be written down, and what it was made from.
///
/// Transports that record or replay find it by `TransportRequest.stepRequest`.
package final class StepRequest: RequestSource {
  /// Which step asks, for which item, page, poll and attempt.
  package let key: RecordingKey
  /// Why the request is sent.
  package let cause: RequestCause
  private let run: RequestRun
  private let parts: RequestRun.Parts
  /// What stands for secrets in the recording that answers; `nil` if none does.
  private let standIns: Redactor?
  /// The request without what `auth` makes of it, which differs each time.
  package let unsigned: TransportRequest

  private init(_ other: StepRequest, _ standIns: Redactor) {
    run = other.run
    parts = other.parts
    key = other.key
    cause = other.cause
    unsigned = other.unsigned
    self.standIns = standIns
  }

  init(
    _ run: RequestRun, _ parts: RequestRun.Parts, _ count: AttemptCount,
    unsigned: TransportRequest
  ) {
    self.run = run
    self.parts = parts
    self.unsigned = unsigned
    cause = count.cause
    let attempt = count.number
    standIns = nil
    let (unit, value) = (run.unit, parts.value)
    key =
      value.isForToken
      ? RecordingKey(step: "", attempt: attempt)
      : RecordingKey(
        step: unit.isLookUp ? unit.label.id + ".settle" : unit.label.id, path: unit.label.path,
        item: unit.item, page: value.page,
        poll: value.poll, attempt: attempt, redirect: value.redirect)
  }

  // MARK: Secrets

  package var redactor: Redactor { run.context.redactor }

  /// Hides what the step takes out of a response as a secret, before anything of it is written.
  package func noteSecrets(of response: TransportResponse) {
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
    RequestRun.Answer(
      response, to: parts, sentCount: 0,
      reading: run.reading(response, to: parts))
  }

  /// Where a text of a request or a response stands.
  package enum Place {
    /// Anywhere: short secrets are in it by chance.
    case other
    /// In a part of the request that reads secrets, which are hidden however short they are.
    case secretPart
  }

  /// A text with the names of secrets in their places.
  package func named(_ text: [UInt8], in place: Place = .other) -> [UInt8] {
    named(text, found: nil, place)
  }

  package func named(_ text: String, in place: Place = .other) -> String {
    String(decoding: named(Array(text.utf8), in: place), as: UTF8.self)
  }

  /// A URL of the request with the names of secrets in their places.
  package func named(url: String) -> String {
    let text = named(Array(hidingParameters(of: url).utf8), found: nil, .other, .url)
    // A short secret has no text of its own by which it could be named.
    let masked = known.masked(url: String(decoding: text, as: UTF8.self))
    return masked.replacing(
      bytes: Redactor.mask,
      with: String(decoding: SecretPlaceholder.text(SecretNames.short), as: UTF8.self))
  }

  private var known: KnownSecrets { run.step.secrets }

  /// - Parameters:
  ///   - found: The values that secret extractors select in the text.
  ///   - use: Receives each name.
  private func named(
    _ text: [UInt8], found: KnownSecrets?, _ place: Place, _ kind: SecretNames.TextKind = .plain,
    _ use: (String) -> Void = { _ in }
  ) -> [UInt8] {
    guard let names = redactor.names else { return text }
    var places = redactor.places(in: text)
    places.add(known.places(in: text, from: place == .secretPart ? 1 : SecretIndex.shortest))
    places.add(known.quotedPlaces(in: text))
    if let found { places.add(found.places(in: text)) }
    let own = names.named(text, places, kind, use)
    guard let standIns else { return own }
    // What the run does not know as a secret has its name in the recording.
    return standIns.names?.named(own, standIns.places(in: own), kind, use) ?? own
  }

  /// A field of a response without the parameters of its URL that secret extractors take.
  package func hidingParameters(of field: RecordedField) -> RecordedField {
    guard field.name.equalsIgnoringASCIICase("location") else { return field }
    return RecordedField(field.name, hidingParameters(of: field.value))
  }

  /// A URL with names in place of the parameters that secret extractors take.
  private func hidingParameters(of url: String) -> String {
    guard run.plan.hasSecretExtractors else { return url }
    var url = url
    for extractor in run.step.request.extract where extractor.isSecret {
      guard case .url = extractor.source, let parameter = extractor.parameter else { continue }
      let name = SecretPlaceholder.text(run.step.secretName(of: extractor, page: key.page))
      url = URI.replacing(
        parameter.value, in: url, with: String(decoding: name, as: UTF8.self))
    }
    return url
  }

  /// Whether a header of the request is made from secrets.
  package func readsSecret(header name: String) -> Bool {
    if CredentialNames.isHeader(name) { return true }
    return run.plan.request.headers.contains {
      $0.name.equalsIgnoringASCIICase(name) && $0.isCredential(run.step.secretRanges)
    }
  }

  /// Whether the body of the request is made from secrets.
  package var readsSecretInBody: Bool {
    guard parts.value.hasCredentials else { return false }
    return parts.value.credentials.own.isInBody || parts.value.credentials.inherited.isInBody
  }

  /// The same request, in whose texts the stand-ins of a recording are named, too.
  package func knowing(_ standIns: Redactor) -> StepRequest {
    StepRequest(self, standIns)
  }

  /// A response as it may be written down, and the shapes of the secrets that it held, by name.
  package func named(
    _ response: TransportResponse
  ) -> (headers: [HeaderField], body: [UInt8], shapes: [String: String]) {
    noteSecrets(of: response)
    let found = ResponseSecrets.of(
      answer(response).body(isRead: true), in: run.step)
    var shapes: [String: String] = [:]
    func use(_ name: String) { shapes[name] = redactor.names?.shape(of: name) }
    let headers = response.headers.map { field in
      let value = named(Array(field.value.utf8), found: found?.values, .other, .plain, use)
      return HeaderField(field.name, String(decoding: value, as: UTF8.self))
    }
    // A secret was expected in the body and not found, so it may be anywhere.
    if found?.mayBeAnywhere == true { return (headers, nameOfBody, shapes) }
    var shown = response
    shown.body = named(response.body, found: found?.values, .other, .plain, use)
    if let found, found.mayBeSpelled, let reading = run.reading(response, to: parts),
      !found.areHidden(in: replayed(shown, shapes), reading, redactor)
    {
      return (headers, nameOfBody, shapes)
    }
    return (headers, shown.body, shapes)
  }

  /// A response as a replay of its recording gives it, with stand-ins.
  private func replayed(
    _ response: TransportResponse, _ shapes: [String: String]
  ) -> TransportResponse {
    var response = response
    response.body = SecretPlaceholder.filled(response.body) { shapes[$0] }
    return response
  }

  /// What stands for a body that must not be written down.
  private var nameOfBody: [UInt8] { SecretPlaceholder.text(key.step + ".body") }

  // MARK: Values

  /// The value of one extractor.
  package struct Value: Sendable {
    /// The name of the value.
    package let name: String
    /// The query of the body; `nil` if the extractor has another source.
    package let query: String?
    package let found: Found
    /// The places in the body that the query selects, as normalized paths (RFC 9535 §2.7).
    package let paths: [String]
  }

  /// The result of an extractor.
  package enum Found: Sendable {
    /// JSON.
    case value(String)
    /// There is none, which the extractor allows.
    case absent
    /// Why it fails.
    case failure(String)
  }

  /// The values that each extractor of the step finds in a response, secrets hidden.
  package func values(in response: TransportResponse) -> [Value] {
    if parts.value.isForToken { return [] }
    let body = answer(response).body(isRead: true)
    let reader = ResponseReader(step: run.step, body: body, attempts: 1)
    return run.step.request.extract.map { extractor in
      var paths: [String] = []
      var query: String?
      if case .body(let written) = extractor.source {
        query = written.value.text
        if let json = body.json {
          let context = run.unit.scope.queryContext(body: json)
          paths = written.value.located(in: context).map(\.path)
        }
      }
      return Value(
        name: extractor.name, query: query, found: found(by: extractor, reader), paths: paths)
    }
  }

  private func found(by extractor: Extractor, _ reader: ResponseReader) -> Found {
    do throws(FailureReason) {
      var writer = JSONWriter(style: .compact)
      writer.beginObject()
      try Extraction(extractor: extractor, reader: reader).write(to: &writer)
      writer.endObject()
      guard let value = writer.document().root[extractor.name] else { return .absent }
      if extractor.isSecret { return .value(Redactor.mask) }
      return .value(String(decoding: named(Array(value.utf8)), as: UTF8.self))
    } catch {
      return .failure(named(error.message))
    }
  }

  // MARK: Origins

  /// The read that caused a text of the request: `{{login.token}}`.
  package func origin(of text: String) -> String? {
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

extension TransportRequest {
  /// The request as its step knows it; `nil` unless the transport reads askers.
  package var stepRequest: StepRequest? { asker?.source as? StepRequest }
}
