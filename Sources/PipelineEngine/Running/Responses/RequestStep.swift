internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineLint
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

/// A request step of one unit, with its values and secrets. Requests are built from it, and
/// responses are judged by it. It sends nothing and waits for nothing.
struct RequestStep: Sendable {
  let unit: Unit
  let plan: RequestPlan
  let redactor: Redactor
  let notes: RunNotes
  /// What is compared of its responses with the description of the API; `nil` if nothing is.
  let checks: ResponseChecks?
  /// Where the step reads a secret; `nil` if nowhere.
  let secretRanges: Set<Range<Int>>?

  init(
    _ unit: Unit, _ plan: RequestPlan, _ redactor: Redactor, _ notes: RunNotes,
    checks: ResponseChecks? = nil
  ) {
    self.checks = checks
    self.unit = unit
    self.plan = plan
    self.redactor = redactor
    self.notes = notes
    secretRanges = unit.secretRanges
  }

  var scope: Scope { unit.scope }
  /// The secret parts of the step's values.
  var valueTaint: Taint {
    let steps = unit.frame.secrecy[unit.frame.block].steps
    return steps.indices.contains(unit.step) ? steps[unit.step].values : .none
  }
  /// Masks the secrets of the step in what is said of its conditions.
  var facts: StepSecrets {
    StepSecrets(step: unit.stepPlan.step, ranges: secretRanges, redactor: redactor)
  }
  /// The run's files, as the file of the step names them.
  var files: any FileAccess { unit.files }
  var request: Request { plan.request }

  /// Notes something of the step, once.
  func noteOnce(_ message: @autoclosure () -> String) {
    notes.noteOnce(message(), step: unit.label.id, hiding: secrets)
  }
}

extension RequestStep {
  /// Whether a condition holds of a response.
  func holds(_ condition: Written<Condition>, of body: ResponseBody) throws(FailureReason) -> Bool {
    let view = try ResponseView(body: body, url: body.url.text, values: nil)
      .node(for: [condition])
    return try Evaluation.holds(condition, in: scope, current: view)
  }
}

// The form of a request in messages. The engine knows which secrets it put into it, however short.
extension RequestStep {
  /// The secrets that the step reads.
  var secrets: KnownSecrets {
    KnownSecrets(unit.stepPlan.step, at: secretRanges, in: unit.scope)
  }

  /// A URL of one of the step's requests, as it is shown.
  func shown(url: String) -> String { shown(url: url, secrets) }

  private func shown(url: String, _ secrets: KnownSecrets) -> String {
    var url = url
    if plan.hasSecretExtractors {
      for extractor in request.extract where extractor.isSecret {
        if let parameter = extractor.parameter {
          url = URI.replacing(parameter.value, in: url, with: Redactor.mask)
        } else if case .url = extractor.source {
          return Redactor.mask
        }
      }
    }
    return redactor.redact(Self.maskingCredentials(in: secrets.masked(url: url)))
  }

  /// A URL without the values of parameters that are credentials by their names: `api_key`.
  private static func maskingCredentials(in url: String) -> String {
    let places = CredentialNames.values(in: url)
    guard !places.isEmpty else { return url }
    var masked = MaskedPlaces()
    for place in places { masked.add(place) }
    return String(decoding: masked.masked(Array(url.utf8)), as: UTF8.self)
  }

  /// A URL as an event shows it. Most requests have no secret in theirs, and there is nothing to
  /// look up.
  func shownInEvents(url: String) -> String {
    shown(url: url, readsSecretsInURL ? secrets : KnownSecrets())
  }

  private var readsSecretsInURL: Bool {
    guard let secretRanges, !secretRanges.isEmpty else { return false }
    let request = plan.request
    return request.endpoint.value.url.references.contains {
      secretRanges.contains(request.endpoint.range(of: $0.reference.range))
    }
      || request.query.contains { $0.value.uses.contains { secretRanges.contains($0.range) } }
      || request.baseURL.map { base in
        base.value.url.references.contains {
          secretRanges.contains(base.range(of: $0.reference.range))
        }
      } == true || request.paginate != nil
  }

  /// The failure without the secrets of the step and of its response.
  func hiding(_ failure: FailureReason, and found: ResponseSecrets? = nil) -> FailureReason {
    let failure = failure.hiding(secrets, redactor)
    return found.map { failure.hiding($0.values, redactor) } ?? failure
  }

  /// Where the limit that ended a request comes from.
  func timeHint(_ error: TransportError) -> [String] {
    guard error.kind == .timeout else { return [] }
    guard let limit = error.limit else {
      guard error.timeBefore > .zero, let total = request.timeout?.total else { return [] }
      return [
        "'timeout' is for the whole attempt: the requests before, such as redirects, used "
          + "\(error.timeBefore.shown) of the \(total.value.shown)"
      ]
    }
    let name = limit.rawValue
    let (written, value) =
      limit == .connect
      ? (request.timeout?.connect, request.connectLimit)
      : (request.timeout?.silence, request.silenceLimit)
    if written != nil { return ["'\(name)' of 'timeout' allows \(value.shown)"] }
    if let total = request.timeout?.total, limit == .silence, total.value == value { return [] }
    return ["\(value.shown) is the default; '\"timeout\": {\"\(name)\": …}' sets another limit"]
  }
}

extension URI {
  /// `url` with another text in place of the values of its parameter `name`.
  static func replacing(_ name: String, in url: String, with text: String) -> String {
    guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return url }
    let pairs = url[url.index(after: mark)...].split(
      separator: "&", omittingEmptySubsequences: false)
    let masked = pairs.map { pair -> String in
      guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")),
        (percentDecode(String(pair[..<equals])) ?? "").utf8.elementsEqual(name.utf8)
      else { return String(pair) }
      return pair[...equals] + text
    }
    return url[...mark] + masked.joined(separator: "&")
  }
}
