import PipelineByteText
import PipelineJSONText

/// Tells by its name what is likely to be a credential.
package enum CredentialNames {
  /// Whether a parameter, a field of a form or a member of JSON is one. `max_tokens` and `page_token`
  /// are not.
  package static func isField(_ name: String) -> Bool {
    guard name.utf8.count <= 30 else { return false }
    if KnownCredentials.isName(name) { return true }
    let plain = String(
      decoding: name.lowercased().utf8.filter { $0 != 0x2D && $0 != 0x5F }, as: UTF8.self)
    return fields.contains(plain) || endings.contains(where: plain.hasSuffix(bytes:))
  }

  /// Whether a header field of this name carries a credential: `Authorization`, `X-Api-Key`.
  package static func isHeader(_ name: String) -> Bool { KnownCredentials.isCredential(name) }

  /// Whether a text has the shape that an issuer gives its credentials: a JSON Web Token.
  package static func isShape(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { KnownCredentials.name(in: $0) != nil }
  }

  /// Whether a text has the shape of a credential, or is a URL whose path is one: a webhook.
  package static func isSecret(_ text: String) -> Bool {
    isShape(Array(text.utf8)) || KnownCredentials.path(in: JSONValue.string(text).node) != nil
  }

  /// The places, in UTF-8, of the values of a URL's credential parameters, without templates.
  package static func values(in url: String) -> [Range<Int>] {
    guard url.contains(ascii: "?") else { return [] }
    let bytes = Array(url.utf8)
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    var ranges: [Range<Int>] = []
    var start = mark + 1
    for pair in bytes[start...].split(
      separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    {
      let range = start..<start + pair.count
      start = range.upperBound + 1
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), equals + 1 < range.upperBound,
        !pair[equals...].contains(UInt8(ascii: "{")),
        isField(String(decoding: pair[..<equals], as: UTF8.self))
      else { continue }
      ranges.append(equals + 1..<range.upperBound)
    }
    return ranges
  }

  private static let fields: Set<String> = [
    "password", "passwd", "pwd", "passphrase", "secret", "clientsecret", "apisecret", "secretkey",
    "token", "accesstoken", "refreshtoken", "authtoken", "apitoken", "privatetoken", "apikey",
    "accesskey", "privatekey", "passwordconfirmation",
    // A signed address opens what it names for every caller.
    "sig", "signature", "xamzsignature", "xamzsecuritytoken", "xgoogsignature",
  ]

  /// How names end that say whose password it is: `adminPassword`, `user_pass`.
  private static let endings = [
    "password", "passwd", "passphrase", "userpass", "clientsecret", "accesstoken", "refreshtoken",
  ]
}
