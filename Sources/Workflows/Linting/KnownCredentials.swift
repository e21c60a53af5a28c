/// Recognises credentials by the shapes that their issuers give them.
enum KnownCredentials {
  /// What `text` holds, in a message: `an AWS access key`.
  static func name(of text: String) -> String? {
    guard text.utf8.count >= 16 else { return nil }
    if text.contains("PRIVATE KEY-----") { return "a private key" }
    for word in text.split(whereSeparator: { !isTokenCharacter($0) }) {
      if let name = name(ofWord: word) { return name }
    }
    return nil
  }

  /// Whether a header's value is a scheme and its credentials (RFC 9110 §11.4).
  static func isAuthorization(_ text: String) -> Bool {
    ["bearer ", "basic ", "token "].contains { text.lowercased().hasPrefix($0) }
  }

  private static let prefixes: [(prefix: String, least: Int, name: String)] = [
    ("AKIA", 20, "an AWS access key"), ("ASIA", 20, "an AWS access key"),
    ("ghp_", 40, "a GitHub token"), ("gho_", 40, "a GitHub token"),
    ("ghs_", 40, "a GitHub token"), ("github_pat_", 40, "a GitHub token"),
    ("glpat-", 20, "a GitLab token"), ("xoxb-", 20, "a Slack token"),
    ("xoxp-", 20, "a Slack token"), ("sk_live_", 24, "a Stripe key"),
    ("rk_live_", 24, "a Stripe key"), ("sk-", 32, "an API key"), ("AIza", 39, "a Google API key"),
    ("npm_", 36, "an npm token"), ("SG.", 40, "a SendGrid key"),
  ]

  private static func name(ofWord word: Substring) -> String? {
    if word.hasPrefix("eyJ"), word.split(separator: ".").count == 3, word.contains(".eyJ") {
      return "a JSON Web Token"
    }
    return prefixes.first { word.utf8.count >= $0.least && word.hasPrefix($0.prefix) }?.name
  }

  private static func isTokenCharacter(_ character: Character) -> Bool {
    character.isASCII
      && (character.isLetter || character.isNumber || character == "_" || character == "-"
        || character == ".")
  }
}
