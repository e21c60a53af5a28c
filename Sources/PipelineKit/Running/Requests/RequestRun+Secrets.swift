internal import Templates
internal import URIs
internal import Workflows

// What is shown of a request. The engine knows which secrets it put into it, however short.
extension RequestRun {
  /// The secrets that the step reads.
  var secrets: KnownSecrets {
    KnownSecrets(unit.stepPlan.step, at: secretRanges, in: unit.scope)
  }

  /// A URL of one of the step's requests, as it is shown.
  func shown(url: String, _ secrets: KnownSecrets) -> String {
    var url = url
    if plan.hasSecretExtractors {
      for plan in plan.extractors where plan.extractor.isSecret {
        let extractor = plan.extractor
        if let parameter = extractor.parameter {
          url = URI.masking(parameter.value, in: url)
        } else if case .url = extractor.source {
          return Redactor.mask
        }
      }
    }
    return context.redactor.redact(secrets.masked(url))
  }

  /// A URL as an event shows it. Most requests have no secret in theirs, and there is nothing to
  /// look up.
  func shown(url: String, of parts: RequestBuilder.Parts) -> String {
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

  /// The failure with none of the step's secrets, nor of those that its answer has.
  func hiding(_ failure: Failure, and found: ResponseSecrets? = nil) -> Failure {
    let failure = failure.hiding(secrets, context.redactor)
    return found.map { failure.hiding($0.values, context.redactor) } ?? failure
  }
}

extension URI {
  /// `url` with a mask in place of the values of its parameter `name`.
  fileprivate static func masking(_ name: String, in url: String) -> String {
    guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return url }
    let pairs = url[url.index(after: mark)...].split(
      separator: "&", omittingEmptySubsequences: false)
    let masked = pairs.map { pair -> String in
      guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")),
        (percentDecode(String(pair[..<equals])) ?? "").utf8.elementsEqual(name.utf8)
      else { return String(pair) }
      return pair[...equals] + Redactor.mask
    }
    return url[...mark] + masked.joined(separator: "&")
  }
}
