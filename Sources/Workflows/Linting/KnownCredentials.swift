import JSONText

/// Recognises credentials by the shapes that their issuers give them.
enum KnownCredentials {
  /// What the string at `node` holds, in a message: `an AWS access key`. O(length).
  static func name(in node: JSONNode) -> String? {
    // An escape never stands inside of a credential, so the bytes of the file will do.
    let bytes = node.utf8
    guard bytes.count >= 16 else { return nil }
    var start = bytes.startIndex
    while start < bytes.endIndex {
      guard isTokenByte(bytes[start]) else {
        start += 1
        continue
      }
      let end = bytes[start...].firstIndex { !isTokenByte($0) } ?? bytes.endIndex
      if end - start >= 10, let name = name(ofWord: bytes[start..<end], in: bytes) { return name }
      start = end
    }
    return nil
  }

  /// Whether a header's value is a scheme and its credentials (RFC 9110 §11.4).
  static func isAuthorization(_ text: String) -> Bool {
    ["bearer ", "basic ", "token "].contains { text.lowercased().hasPrefix($0) }
  }

  private static let shapes: [(prefix: [UInt8], least: Int, name: String)] = [
    ("AKIA", 20, "an AWS access key"), ("ASIA", 20, "an AWS access key"),
    ("ghp_", 40, "a GitHub token"), ("gho_", 40, "a GitHub token"),
    ("ghs_", 40, "a GitHub token"), ("github_pat_", 40, "a GitHub token"),
    ("glpat-", 20, "a GitLab token"), ("xoxb-", 20, "a Slack token"),
    ("xoxp-", 20, "a Slack token"), ("sk_live_", 24, "a Stripe key"),
    ("rk_live_", 24, "a Stripe key"), ("sk-", 32, "an API key"),
    ("AIza", 39, "a Google API key"), ("npm_", 36, "an npm token"), ("SG.", 40, "a SendGrid key"),
  ].map { (Array($0.0.utf8), $0.1, $0.2) }

  private static func name(ofWord word: ArraySlice<UInt8>, in bytes: ArraySlice<UInt8>) -> String? {
    if word.starts(with: "eyJ".utf8) {
      let parts = word.split(separator: UInt8(ascii: "."))
      if parts.count == 3, parts[1].starts(with: "eyJ".utf8) { return "a JSON Web Token" }
    }
    if word.starts(with: "-----BEGIN".utf8) {
      return String(decoding: bytes, as: UTF8.self).contains("PRIVATE KEY-----")
        ? "a private key" : nil
    }
    return shapes.first { word.count >= $0.least && word.starts(with: $0.prefix) }?.name
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
