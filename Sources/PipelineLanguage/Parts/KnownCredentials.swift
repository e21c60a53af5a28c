import PipelineByteText
package import PipelineJSONText

/// Recognises credentials by the shapes that their issuers give them.
package enum KnownCredentials {
  /// The content of the string at `node`, in a message: `an AWS access key`. O(length).
  package static func name(in node: JSONNode) -> String? {
    // A credential never contains an escape, so the bytes of the file are enough.
    let range = node.range
    guard range.count >= 16 else { return nil }
    return node.document.bytes.withUnsafeBufferPointer {
      name(in: UnsafeBufferPointer(rebasing: $0[range]))
    }
  }

  /// The same of the bytes of a file.
  package static func name(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let (tokens, firsts) = (tokens, firsts)
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, tokens.contains(bytes[end]) { end += 1 }
      if end - start >= 10, firsts.contains(bytes[start]),
        let name = name(ofWord: bytes[start..<end], in: bytes)
      {
        return name
      }
      start = end + 1
    }
    return nil
  }

  /// Whether a header, parameter or field of this name carries a credential: `X-Api-Key`.
  static func isName(_ name: String) -> Bool {
    // The last letter distinguishes nearly all names.
    guard (5...25).contains(name.utf8.count), let last = name.utf8.last,
      "yntYNT".utf8.contains(last)
    else { return false }
    return names.contains(
      String(decoding: name.lowercased().utf8.filter { $0 != 0x2D && $0 != 0x5F }, as: UTF8.self))
  }

  /// Whether a name is that of a credential, including the header fields of HTTP itself.
  package static func isCredential(_ name: String) -> Bool {
    if isName(name) { return true }
    let first = name.utf8.first.map { $0 | 0x20 }
    guard first == UInt8(ascii: "a") || first == UInt8(ascii: "c") || first == UInt8(ascii: "p")
    else { return false }
    return ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased())
  }

  /// The secret in the path of a URL, in a message: `a Slack webhook`.
  package static func path(in node: JSONNode) -> String? {
    guard node.utf8.contains(UInt8(ascii: "/")), let text = node.string else { return nil }
    guard let scheme = text.firstRange(bytes: "://") else { return nil }
    let segments = text[scheme.upperBound...].prefix(before: "?", "#").split(ascii: "/")
    guard let host = segments.first?.lowercased(), segments.count > 2, let last = segments.last
    else { return nil }
    switch host {
    case "hooks.slack.com": return isSecret(last) ? "a Slack webhook" : nil
    case "discord.com", "discordapp.com":
      return segments.contains("webhooks") && isSecret(last) ? "a Discord webhook" : nil
    case "api.telegram.org":
      let bot = segments[1]
      return bot.hasPrefix(bytes: "bot") && bot.contains(bytes: ":") && isSecret(bot)
        ? "the token of a Telegram bot" : nil
    case "hooks.zapier.com", "maker.ifttt.com", "hook.eu1.make.com", "hook.us1.make.com":
      return isSecret(last) ? "a webhook" : nil
    default:
      return host.hasSuffix(bytes: ".webhook.office.com") && isSecret(last) ? "a webhook" : nil
    }
  }

  /// Whether a segment holds no template, and is not a word.
  private static func isSecret(_ segment: Substring) -> Bool {
    segment.utf8.count >= 6 && !segment.utf8.contains { "{}$<>".utf8.contains($0) }
      && segment.utf8.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  /// Whether a cookie of this name identifies the sender.
  package static func isSession(_ name: String) -> Bool {
    let folded = name.lowercasedASCII
    return CredentialNames.isField(name)
      || ["sess", "sid", "auth", "token", "jwt"].contains { folded.contains(bytes: $0) }
  }

  private static let names: Set<String> = [
    "xapikey", "apikey", "xauthtoken", "authtoken", "accesstoken", "xaccesstoken", "privatetoken",
    "clientsecret", "apisecret", "xapisecret", "subscriptionkey", "ocpapimsubscriptionkey",
  ]

  private static let shapes: [(prefix: [UInt8], least: Int, name: String)] = [
    ("AKIA", 20, "an AWS access key"), ("ASIA", 20, "an AWS access key"),
    ("ghp_", 40, "a GitHub token"), ("gho_", 40, "a GitHub token"),
    ("ghs_", 40, "a GitHub token"), ("github_pat_", 40, "a GitHub token"),
    ("glpat-", 20, "a GitLab token"), ("xoxb-", 20, "a Slack token"),
    ("xoxp-", 20, "a Slack token"), ("sk_live_", 24, "a Stripe key"),
    ("rk_live_", 24, "a Stripe key"), ("sk-", 32, "an API key"),
    ("AIza", 39, "a Google API key"), ("npm_", 36, "an npm token"), ("SG.", 40, "a SendGrid key"),
  ].map { (Array($0.0.utf8), $0.1, $0.2) }

  /// The characters of credentials.
  private static let tokens = ASCIISet.letters.union(.digits).union(ASCIISet("_-."))

  /// The beginnings of the shapes, of a JSON Web Token and of a private key.
  private static let firsts = ASCIISet(
    "e-" + String(decoding: shapes.compactMap(\.prefix.first), as: UTF8.self))

  private static func name(
    ofWord word: Slice<UnsafeBufferPointer<UInt8>>, in bytes: UnsafeBufferPointer<UInt8>
  ) -> String? {
    if word.starts(with: "eyJ".utf8) {
      let parts = word.split(separator: UInt8(ascii: "."))
      if parts.count == 3, parts[1].starts(with: "eyJ".utf8) { return "a JSON Web Token" }
    }
    if word.starts(with: "-----BEGIN".utf8) {
      return String(decoding: bytes, as: UTF8.self).contains(bytes: "PRIVATE KEY-----")
        ? "a private key" : nil
    }
    return shapes.first { word.count >= $0.least && word.starts(with: $0.prefix) }?.name
  }
}
