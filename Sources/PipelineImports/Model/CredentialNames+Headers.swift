internal import PipelineByteText
package import PipelineLanguage

extension CredentialNames {
  /// Whether a header of a request of another tool is likely to carry a credential. Its name may be
  /// of the API's own: `X-Shop-Token`.
  package static func isLikelyHeader(_ name: String) -> Bool {
    let name = name.lowercasedASCII
    return isHeader(name) || words.contains { name.contains(bytes: $0) }
  }

  private static let words = [
    "api-key", "apikey", "-token", "-secret", "-auth", "x-auth", "access-key", "session",
    "subscription-key", "signature",
  ]
}
