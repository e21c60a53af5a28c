internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineSourceText

/// Where a secret is taken from, as the configuration of secrets says.
enum SecretSource: Sendable {
  /// Another variable of the environment.
  case variable(String)
  /// The whole content of a file, without the line break at its end.
  case file(String)
  /// A variable of a `.env` file.
  case dotenv(String, name: String)
  /// What a program prints, without the line break at its end.
  case command([String], timeout: Duration)
  /// A password of the macOS keychain.
  case keychain(service: String, account: String?)
  /// A credential that systemd hands to the service.
  case credential(String)

  /// For people: `the command 'op'`. A program's arguments are left out.
  var words: String {
    switch self {
    case .variable(let name): "the environment variable \(name)"
    case .file(let path): "the file '\(path)'"
    case .dotenv(let path, let name): "\(name) in '\(path)'"
    case .command(let words, _): "the command '\(words[0])'"
    case .keychain(let service, _): "the keychain, as '\(service)'"
    case .credential(let name): "the systemd credential '\(name)'"
    }
  }
}

/// An entry of the configuration of secrets, with the place where it is written.
struct SecretEntry: Sendable {
  let source: SecretSource
  /// `secrets.json:3:5`
  let place: String
}

/// Why a secret cannot be read: one phrase without any value.
struct SecretProblem: Error, Sendable, CustomStringConvertible {
  let description: String
}

extension SecretSource {
  /// How long a program may take if the configuration does not say so.
  static let usualTimeout = Duration.seconds(30)

  private static let forms = ["env", "file", "dotenv", "command", "keychain", "credential"]

  /// Reads the value of a name: an object with one of the forms.
  ///
  /// - Parameter name: The name of the secret.
  init(_ node: JSONNode, of name: String) throws(Wrong) {
    let given = node.kind == .object ? Self.forms.filter { node[$0] != nil } : []
    guard given.count == 1, let form = given.first, let value = node[form] else {
      throw Wrong(
        given.count > 1
          ? "has several sources: leave one"
          : "needs a source: "
            + #"{"command": ["PROGRAM", "WORD", …]}, {"file": "PATH"}, {"dotenv": "PATH"}, "#
            + #"{"env": "NAME"}, {"keychain": "SERVICE"} or {"credential": "NAME"}"#,
        at: Self.stranger(in: node)?.nameRange ?? node.range,
        Self.stranger(in: node).map { Spelling.didYouMean($0.name, among: Self.forms) } ?? "")
    }
    let options = ["dotenv": ["name"], "command": ["timeout"], "keychain": ["account"]][form] ?? []
    for member in node.members where !member.name.equals(bytes: form) {
      guard options.contains(where: { $0.equals(bytes: member.name) }) else {
        throw Wrong(
          "has '\(member.name)', which means nothing beside '\(form)'", at: member.nameRange,
          Spelling.didYouMean(member.name, among: options))
      }
    }
    func text(_ key: String) throws(Wrong) -> String? {
      guard let node = node[key] else { return nil }
      guard let text = node.string, !text.isEmpty, !text.utf8.contains(0) else {
        throw Wrong("needs a text for '\(key)'", at: node.range)
      }
      return text
    }
    if form.equals(bytes: "command") {
      self = .command(try Self.words(value), timeout: try Self.timeout(node["timeout"]))
      return
    }
    let main = try text(form) ?? ""
    switch form {
    case "env": self = .variable(main)
    case "file": self = .file(main)
    case "dotenv": self = .dotenv(main, name: try text("name") ?? name)
    case "keychain": self = .keychain(service: main, account: try text("account"))
    default:
      guard Self.isCredentialName(main) else {
        throw Wrong("needs the name of a credential for 'credential'", at: value.range)
      }
      self = .credential(main)
    }
  }

  /// Where the service manager puts credentials; `nil` if it has given none.
  static func credentialFolder(_ environment: [String: String]) -> String? {
    environment["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether a name can be that of a file in `$CREDENTIALS_DIRECTORY`.
  static func isCredentialName(_ name: String) -> Bool {
    !name.isEmpty && !name.contains(bytes: "/") && name != "." && name != ".."
      && !name.utf8.contains(0)
  }

  /// What is wrong with an entry, after the name of the secret.
  struct Wrong: Error {
    let message: String
    let range: Range<Int>

    init(_ message: String, at range: Range<Int>, _ advice: String = "") {
      self.message = message + advice
      self.range = range
    }
  }

  private static func stranger(in node: JSONNode) -> JSONMember? {
    guard node.kind == .object else { return nil }
    return node.members.first { member in !forms.contains { $0.equals(bytes: member.name) } }
  }

  private static func words(_ node: JSONNode) throws(Wrong) -> [String] {
    let words = node.kind == .array ? node.elements.compactMap(\.string) : []
    guard !words.isEmpty, words.count == node.count, words[0] != "",
      !words.contains(where: { $0.utf8.contains(0) })
    else {
      throw Wrong(
        #"needs the program and its words one by one, without a shell: ["op", "read", "…"]"#,
        at: node.range)
    }
    return words
  }

  private static func timeout(_ node: JSONNode?) throws(Wrong) -> Duration {
    guard let node else { return usualTimeout }
    guard let text = node.string, let duration = Quantities.duration(text), duration > .zero,
      duration <= .seconds(3600)
    else {
      throw Wrong("needs a duration up to 1h for 'timeout', such as \"2m\"", at: node.range)
    }
    return duration
  }
}
