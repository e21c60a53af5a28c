import PipelineByteText
import PipelineJSONText
package import PipelineLanguage
package import PipelineTemplates
package import PipelineURIs

/// The target of a step's request and the credentials it carries, if known before a run.
package struct CredentialForecast: Sendable {
  package enum Outcome: Sendable, Hashable {
    case sent, withheld
    /// The run decides.
    case unknown
  }

  /// Where the request goes; `nil` if a response decides.
  package let target: Origin?
  package let policy: CredentialPolicy

  /// - Parameters:
  ///   - foreign: The parts of the request that a response decides.
  ///   - expand: A URL with known values in place of its references, whose places are those in the
  ///     given text.
  package init(
    _ request: Request, _ foreign: Provenance.Foreign,
    expand: (_ url: URLTemplate, _ text: String) -> String
  ) {
    let base =
      foreign.contains(.baseURL)
      ? nil : request.baseURL.map { expand($0.value.url, $0.value.url.text) }
    let endpoint = request.endpoint.value
    let text = endpoint.url.isRelative ? base : expand(endpoint.url, endpoint.text)
    target = foreign.contains(.endpoint) ? nil : text.map(Self.place)
    policy = CredentialPolicy(
      own: target, base: base.map(Self.place),
      listed: foreign.contains(.listed)
        ? request.listedOrigins { _ in nil }
        : Set(
          request.sendCredentials.map { Self.place(expand($0.value.url, $0.value.url.text)) }))
  }

  /// The fate of credentials that `writer` wrote.
  package func outcome(_ writer: CredentialPolicy.Writer) -> Outcome {
    let mayBeOther = !policy.listed.isEmpty || writer == .defaults && policy.base != nil
    guard let target else { return mayBeOther ? .unknown : .withheld }
    if policy.mayHave(writer, target) { return .sent }
    let isCertain = !target.isPlaceholder && !(policy.base?.isPlaceholder ?? false)
    return isCertain || !mayBeOther ? .withheld : .unknown
  }

  /// The places that may see what `writer` wrote, as messages name them.
  package func places(for writer: CredentialPolicy.Writer) -> [String] {
    let first = writer == .step ? policy.own : policy.base
    let others = policy.listed.filter { $0 != first }.map(\.description).sorted()
    return (first.map { [$0.description] } ?? []) + others
  }

  /// The origin of a URL. If it is not known, its text stands for it: two that read alike are one.
  private static func place(_ url: String) -> Origin {
    if let origin = Origin(of: url) { return origin }
    let start = url.firstRange(bytes: "://")?.upperBound ?? url.startIndex
    var host = url[start...].prefix(before: "/", "?", "#")
    if let at = host.lastIndex(ascii: "@") { host = host[at...].dropFirst(bytes: 1) }
    return Origin(placeholder: String(url[..<start]) + String(host))
  }
}

/// A setting of a request that carries a credential and may be kept back.
package struct CredentialSetting: Sendable {
  /// The setting, such as `headers`.
  package let key: String
  /// The member of the setting, if one of them is the credential.
  package let member: String?
  package let writer: CredentialPolicy.Writer
  /// Where it is in the file.
  package let range: Range<Int>
  package let parameter: Request.Parameter?

  /// The credential of the request: `Authorization`, `cookie sid`.
  package var words: String {
    switch key {
    case "auth": member ?? "Authorization"
    case "cookies": "cookie " + (member ?? "")
    case "query": "parameter " + (member ?? "")
    case "tls": "client certificate"
    default: member ?? key
    }
  }
}

extension Request {
  /// The settings that carry credentials, other than its URL and body.
  ///
  /// - Parameter secretRanges: Where the step reads a secret; `nil` if nowhere.
  package func credentialSettings(_ secretRanges: Set<Range<Int>>?) -> [CredentialSetting] {
    var settings: [CredentialSetting] = []
    if let auth {
      let signed = auth.signature?.fields.map(\.name).joined(separator: ", ")
      settings.append(
        CredentialSetting(
          key: "auth", member: signed, writer: .init(isInherited: auth.isInherited),
          range: auth.node.range, parameter: nil))
    }
    func add(_ parameters: [Parameter], _ key: String) {
      for parameter in parameters where key == "cookies" || parameter.isCredential(secretRanges) {
        settings.append(
          CredentialSetting(
            key: key, member: parameter.name, writer: .init(isInherited: parameter.isInherited),
            range: parameter.node.range, parameter: parameter))
      }
    }
    add(headers, "headers")
    add(cookies, "cookies")
    add(query, "query")
    if let tls, let certificate = tls.cert {
      settings.append(
        CredentialSetting(
          key: "tls", member: nil, writer: .init(isInherited: tls.isInherited),
          range: certificate.range, parameter: nil))
    }
    return settings
  }
}
