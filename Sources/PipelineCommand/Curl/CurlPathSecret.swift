internal import PipelineByteText
internal import PipelineLanguage

/// Finds the credentials that some services put into the path of a URL: webhooks and bots.
///
/// Each is replaced by a variable, which becomes a secret input.
struct CurlPathSecret {
  typealias Word = ShellWords.Word

  /// The URL with variables in place of its secrets.
  private(set) var address: Word
  /// The names of these variables, and of the command's own variables that represent a secret.
  private(set) var variables: [String] = []

  init(_ address: Word) {
    self.address = address
    var segments = address.split(at: "/")
    let texts = segments.map(\.text)
    // `https:`, nothing, the host, or a variable that holds them.
    let isBased = !address.text.contains(bytes: "://")
    let host = (isBased ? "" : texts.count > 2 ? texts[2] : "").lowercased()
    for index in segments.indices.dropFirst(isBased ? 1 : 3) {
      guard let secret = Self.secret(at: index, of: texts, host: host) else { continue }
      replace(&segments[index], secret)
    }
    guard !variables.isEmpty else { return }
    self.address = Self.joined(segments)
  }

  /// A secret in one segment of a path.
  private struct Secret {
    /// The variable that stands for it.
    let variable: String
    /// The text before it in its segment.
    var prefix = ""
  }

  private static func secret(at index: Int, of segments: [String], host: String) -> Secret? {
    let segment = segments[index]
    guard !segment.isEmpty else { return nil }
    let before = segments[index - 1].lowercased()
    // Telegram: `/bot123:token/sendMessage`.
    if segment.hasPrefix(bytes: "bot"), let colon = segment.firstIndex(ascii: ":"),
      segment[..<colon].dropFirst(3).allSatisfy(\.isNumber), colon > segment.startIndex
    {
      return Secret(variable: "BOT_TOKEN", prefix: "bot")
    }
    // The same with the whole token as a variable: `/bot$TOKEN/sendMessage`.
    if host == "api.telegram.org", segment.hasPrefix(bytes: "bot$") {
      return Secret(variable: "BOT_TOKEN", prefix: "bot")
    }
    let webhook = Secret(variable: "WEBHOOK_TOKEN")
    // Discord: `/webhooks/ID/TOKEN`.
    if index >= 2, isWebhooks(segments[index - 2]), isNumber(before) { return webhook }
    if isWebhooks(before), !isNumber(segment), segment.count >= 8 { return webhook }
    // Slack, Zapier and others: the last segment of a path on a host for hooks.
    let labels = host.split(ascii: ".")
    let isOfHooks = labels.contains { $0 == "hooks" || $0 == "hook" }
    let isLast = segments[(index + 1)...].allSatisfy(\.isEmpty)
    if isOfHooks, isLast { return webhook }
    // Teams, Mattermost, Make: a long token below something that is named after hooks.
    let isBelowHook =
      isOfHooks || labels.contains { $0.contains("webhook") }
      || segments[..<index].contains { isWebhooks($0.lowercased()) || $0.lowercased() == "hooks" }
    if isBelowHook, isToken(segment) { return webhook }
    // `/with/key/TOKEN`: the segment before names a credential.
    if CredentialNames.isField(before) || before == "key", isToken(segment) {
      return Secret(variable: "TOKEN")
    }
    return nil
  }

  private static func isWebhooks(_ text: String) -> Bool {
    text == "webhook" || text == "webhooks" || text == "webhookb2"
  }

  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy(\.isNumber)
  }

  /// Whether it looks like no word: long, with letters and digits.
  private static func isToken(_ text: String) -> Bool {
    text.count >= 16 && text.contains(where: \.isLetter) && text.contains(where: \.isNumber)
  }

  private mutating func replace(_ segment: inout Word, _ secret: Secret) {
    // A text that is partly a variable is not written out. The variable is the secret then.
    let own = segment.parts.compactMap { part -> String? in
      if case .variable(let name) = part { name } else { nil }
    }
    guard own.isEmpty else {
      variables += own
      return
    }
    var name = secret.variable
    var number = 2
    while variables.contains(name) {
      name = secret.variable + String(number)
      number += 1
    }
    variables.append(name)
    segment = Word(
      parts: (secret.prefix.isEmpty ? [] : [.text(secret.prefix)]) + [.variable(name)])
  }

  private static func joined(_ segments: [Word]) -> Word {
    var word = Word()
    for (number, segment) in segments.enumerated() {
      for part in (number == 0 ? [] : [.text("/")]) + segment.parts {
        if case .text(let text) = part, case .text(let before)? = word.parts.last {
          word.parts[word.parts.count - 1] = .text(before + text)
        } else {
          word.parts.append(part)
        }
      }
    }
    return word
  }
}
