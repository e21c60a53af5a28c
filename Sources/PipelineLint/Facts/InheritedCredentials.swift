import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineTemplates

/// A credential in `defaults`, and its fate in each step that inherits it.
struct InheritedCredential: Sendable {
  let setting: InheritedSetting
  let range: Range<Int>
  private(set) var steps: [(step: LintStep, forecast: CredentialForecast)] = []

  fileprivate init(_ key: String, _ member: String?, at range: Range<Int>) {
    setting = InheritedSetting(key: key, member: member)
    self.range = range
  }

  fileprivate mutating func add(_ step: LintStep, _ forecast: CredentialForecast) {
    steps.append((step, forecast))
  }

  /// Whether it is certain that no step sends it.
  var isSentNowhere: Bool { steps.allSatisfy { $0.forecast.outcome(.defaults) == .withheld } }
}

extension LintContext {
  /// The credentials in `defaults` that steps inherit, in the order of the steps.
  var inheritedCredentials: [InheritedCredential] {
    // A base URL that could not be read is unknown.
    let lacksBase = steps.contains { $0.request.map { $0.baseURL == nil } ?? false }
    if lacksBase, workflow.document.root["defaults"]?["baseURL"] != nil { return [] }
    var found: [InheritedCredential] = []
    var places: [Range<Int>: Int] = [:]
    for step in steps {
      guard let request = step.request, request.hasInheritedCredentials else { continue }
      let settings = request.credentialSettings(secretRanges(of: step))
        .filter { $0.writer == .defaults }
      if settings.isEmpty { continue }
      let forecast = CredentialForecast(request, []) { url, _ in url.text }
      for setting in settings {
        let place = places[setting.range] ?? found.count
        if place == found.count {
          found.append(InheritedCredential(setting.key, setting.member, at: setting.range))
          places[setting.range] = place
        }
        found[place].add(step, forecast)
      }
    }
    return found
  }

  /// The credentials in this file's `defaults` that no step inherits.
  var uninheritedCredentials: [InheritedCredential] {
    guard !steps.isEmpty, let defaults = workflow.document.root["defaults"] else { return [] }
    var written: [InheritedCredential] = []
    if let auth = defaults["auth"], !auth.isNull {
      written.append(InheritedCredential("auth", nil, at: auth.range))
    }
    if let certificate = defaults["tls"]?["cert"] {
      written.append(InheritedCredential("tls", nil, at: certificate.range))
    }
    for key in ["headers", "cookies", "query"] {
      guard let members = defaults[key]?.members else { continue }
      for member in members where !member.value.isNull {
        guard key == "cookies" || KnownCredentials.isCredential(member.name) else { continue }
        // A parameter may be an object that says how it is written.
        let value = key == "query" ? member.value["value"] ?? member.value : member.value
        written.append(InheritedCredential(key, member.name, at: value.range))
      }
    }
    if written.isEmpty { return [] }
    let inherited = Set(
      steps.flatMap { step in
        step.request?.credentialSettings(nil).filter { $0.writer == .defaults }.map(\.range) ?? []
      })
    return written.filter { !inherited.contains($0.range) }
  }

  /// Where a step reads a secret.
  private func secretRanges(of step: LintStep) -> Set<Range<Int>>? {
    var ranges: Set<Range<Int>> = []
    for (use, reading) in zip(step.uses, readings[step.number]) where reading.shape.isSecret {
      ranges.insert(use.use.range)
    }
    return ranges.isEmpty ? nil : ranges
  }
}

extension Request {
  /// Whether any setting that may carry a credential comes from `defaults`.
  fileprivate var hasInheritedCredentials: Bool {
    auth?.isInherited ?? false || tls?.isInherited ?? false
      || [headers, cookies, query].contains { $0.contains(where: \.isInherited) }
  }
}
