internal import PipelineByteText
package import PipelineJSONText
internal import PipelineURIs

/// The address that relative endpoints are appended to: an absolute URL without query and fragment,
/// with places for values.
package struct BaseURL: Sendable, Hashable {
  package let url: URLTemplate

  /// The base URL of `text` and everything wrong with it.
  package static func parse(_ text: String) -> (base: BaseURL, problems: [TemplateProblem]) {
    var (url, problems) = URLTemplate.parse(text)
    let all = 0..<text.utf8.count
    if url.isRelative, problems.isEmpty {
      problems.append(
        TemplateProblem(
          .url,
          isHost(text)
            ? "a base URL is absolute; write '\(scheme(text))\(text)'"
            : "a base URL is absolute; write it with 'https://' and its host", at: all,
          fix: isHost(text) ? scheme(text) + text : nil, isGuess: true))
    } else if let mark = url.queryStart {
      problems.append(
        TemplateProblem(
          .url, "a base URL has no query; write its parameters in 'query'",
          at: mark..<all.upperBound))
    }
    return (BaseURL(url: url), problems)
  }

  /// A server on the same machine has no certificate.
  private static func scheme(_ text: String) -> String {
    text.hasPrefix(bytes: "127.") ? "http://" : "https://"
  }

  /// Whether a text begins with a name such as `api.example.com`.
  private static func isHost(_ text: String) -> Bool {
    let host = text.prefix(before: "/", ":")
    return host.contains(bytes: ".")
      && host.utf8.allSatisfy { Self.hostBytes.contains($0) }
      && !host.hasPrefix(bytes: ".") && !host.hasSuffix(bytes: ".")
  }

  private static let hostBytes = ASCIISet.letters.union(.digits).union(ASCIISet(".-"))

  /// The absolute URL, checked to be one that endpoints can be appended to.
  package func expand(
    _ resolve: (Template.Reference) -> JSONNode?
  ) throws(ExpansionError) -> String {
    let text = try url.expand(base: nil, resolve)
    guard let uri = URI.parse(text), uri.query == nil, uri.fragment == nil else {
      throw ExpansionError(
        .notURL, url.references.first?.reference,
        "a base URL has no query or fragment; write its parameters in 'query'")
    }
    return text
  }
}
