internal import PipelineByteText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

/// What `plan` says of the credentials of requests.
struct CredentialText {
  let plan: Plan
  let known: KnownValues

  /// Which credentials the request carries, and which it keeps back.
  func lines(of request: Request, _ number: Int, in block: BlockPlan) -> [String] {
    let settings = request.credentialSettings(plan.secrecy.ranges(of: number, in: block)).filter {
      if $0.key == "auth", let auth = request.auth, isAbsent(auth.scheme.form) { return false }
      return $0.parameter.map { known.data($0.value.node) != nil } ?? true
    }
    if settings.isEmpty { return [] }
    let foreign = plan.provenance.foreign(number, in: block)
    let forecast = CredentialForecast(request, foreign) { known.url($0, of: $1) }
    return [CredentialPolicy.Writer.step, .defaults].compactMap { writer in
      let words = settings.filter { $0.writer == writer }.map(\.words)
      if words.isEmpty { return nil }
      let what = words.joined(separator: ", ") + (writer == .defaults ? " (defaults)" : "")
      let target = forecast.target?.description
      switch forecast.outcome(writer) {
      case .sent: return "sends  " + what + (target.map { " to " + $0 } ?? "")
      case .withheld:
        return "keeps  " + what
          + (target.map { " from " + $0 } ?? ", because a response decides the host")
      case .unknown:
        let places = forecast.places(for: writer).joined(separator: " or ")
        return "sends  " + what + " only to " + places
      }
    }
  }

  /// Whether the request is sent without `auth`, because a value of it is absent.
  private func isAbsent(_ form: any AuthForm) -> Bool {
    form.needed.contains { $0.allSatisfy { known.isAbsent($0.value) } }
  }

  /// Literal credentials are masked, too: writing them into the file does not make them public.
  func auth(_ form: any AuthForm) -> String {
    if isAbsent(form) { return "none, because a value is absent" }
    return form.planText(
      PlannedCredentials(
        text: { known.text($0.value) },
        secret: { $0.value.literal == nil ? known.text($0.value) : KnownValues.mask },
        url: { known.url($0.value, of: $0.value.text) }))
  }

  /// A URL without the credentials that are written in it.
  static func masked(_ url: String) -> String {
    var bytes = Array(url.utf8)
    for range in CredentialNames.values(in: url).reversed()
    where !bytes[range].elementsEqual(KnownValues.mask.utf8) {
      bytes.replaceSubrange(range, with: KnownValues.mask.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
