internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineImports
internal import PipelineKit
internal import PipelineLanguage

/// The workflow of one step that sends what a curl command sends.
///
/// Credentials are never kept: each becomes a secret input, filled from a variable.
struct CurlWorkflow {
  /// Notes about it: parts that were not carried over, and inputs to give.
  var notes: [String]
  /// The values of the secret inputs by name, for an immediate run. They are not written.
  private(set) var credentials: [String: String] = [:]
  private let command: CurlCommand
  /// The step's extractors.
  private let extractors: [JSONValue.Member]
  private var inputs: [JSONValue.Member] = []
  /// The inputs that the author has to give a value.
  private var secrets: [String] = []
  private var headers: [(name: String, value: JSONValue)] = []
  private var auth: JSONValue?

  /// - Parameter extractors: The step's extractors. By default the status, and the body if it is
  ///   JSON, so that a run shows the response.
  init(_ command: CurlCommand, extracting extractors: [JSONValue.Member] = Self.everything) {
    self.command = command
    self.extractors = extractors
    notes = command.notes
  }

  /// The status, and the body if it is JSON.
  private static let everything: [JSONValue.Member] = [
    .init("status", .object([.init("status", true)])),
    .init("body", .object([.init("body", "$"), .init("optional", true)])),
  ]

  /// The workflow's file, formatted.
  mutating func text() -> [UInt8] {
    let body = CurlBody(command)
    notes += body.notes + body.refusals
    let headers = CurlHeaders(command, body)
    notes += headers.notes
    for (name, value) in headers.fields { addHeader(name, value) }
    let (address, user) = (command.urls.first ?? ShellWords.Word()).takingCredentials()
    readCredentials(ofURL: user)
    var step: [JSONValue.Member] = []
    let url = CurlURL(address, command, body)
    notes += url.notes
    let secret = CurlPathSecret(url.address)
    let name = CurlURL.stepName(for: secret.address)
    step.append(.init("id", .string(name)))
    for variable in secret.variables { _ = declare(variable, isSecret: true) }
    let (base, path) = CurlURL.base(of: secret.address)
    var endpoint = Self.method(of: command, body) + " " + template(path)
    if let query = url.writtenQuery { endpoint += "?" + written(query) }
    step.append(.init("endpoint", .string(endpoint)))
    addMap("query", url.query.map { ($0.name, value($0.value, of: $0.name)) }, to: &step)
    addMap("headers", self.headers.map { ($0.name, $0.value) }, to: &step)
    if let auth { step.append(.init("auth", auth)) }
    if let content = content(body) { step.append(.init("body", content)) }
    addSettings(to: &step)
    if !extractors.isEmpty { step.append(.init("extract", .object(extractors))) }
    if let base { _ = declare(base, isSecret: false) }
    var file: [JSONValue.Member] = [.init("format", 1)]
    if !inputs.isEmpty { file.append(.init("inputs", .object(inputs))) }
    if let base {
      let url = "{{inputs.\(declare(base, isSecret: false))}}"
      file.append(.init("defaults", .object([.init("baseURL", .string(url))])))
    }
    file.append(.init("steps", [.object(step)]))
    if !extractors.isEmpty {
      file.append(.init("outputs", .object([.init(name, .string("{{\(name)}}"))])))
    }
    for name in secrets {
      notes.append("give the secret input '\(name)' by its variable or with --inputs FILE")
    }
    return WorkflowLayout.text(of: JSONValue.object(file).node)
  }

  // MARK: Request

  static func method(of command: CurlCommand, _ body: CurlBody) -> String {
    if let method = command.value(.request)?.text { return method.uppercased() }
    if command.has(.head) { return "HEAD" }
    if command.has(.uploadFile) { return "PUT" }
    if case .none = body.content { return "GET" }
    return "POST"
  }

  private mutating func addHeader(_ name: String, _ word: ShellWords.Word) {
    let lowered = name.lowercased()
    if word.parts.isEmpty { return headers.append((name, "")) }
    switch lowered {
    case "authorization":
      readAuthorization(name, word)
    case "cookie", "proxy-authorization":
      headers.append((name, secret(lowered == "cookie" ? "cookie" : "proxyToken", word)))
    case "host", "content-length", "connection", "accept-encoding", "transfer-encoding":
      if lowered == "host" || lowered == "transfer-encoding" {
        notes.append("the header '\(name)' is not taken over: each request has its own")
      }
    case "referer": headers.append((name, referrer(word)))
    case _ where CredentialNames.isLikelyHeader(lowered):
      headers.append((name, secret(Self.inputName(name), word)))
    default:
      headers.append((name, value(word)))
    }
  }

  // MARK: Credentials

  private mutating func readAuthorization(_ name: String, _ word: ShellWords.Word) {
    let scheme = word.text.prefix(before: " ").lowercased()
    switch scheme {
    case "bearer":
      auth = .object([.init("bearer", secret("token", word.droppingScheme))])
    case "basic":
      guard let bytes = Base64.decode(word.droppingScheme.text),
        let decoded = String(validating: bytes, as: UTF8.self),
        let (user, password) = ShellWords.Word(parts: [.text(decoded)]).cut(at: ":")
      else { fallthrough }
      auth = .object([.init("basic", userAndPassword(user, password))])
    default:
      headers.append((name, secret("authorization", word)))
    }
  }

  /// - Parameter info: The user and password that are in the URL, encoded as there.
  private mutating func readCredentials(ofURL info: ForeignText?) {
    if let token = command.value(.bearer) {
      auth = .object([.init("bearer", secret("token", token))])
    }
    let name: ShellWords.Word
    let password: ShellWords.Word?
    if let user = command.value(.user) {
      let parts = user.cut(at: ":")
      (name, password) = (parts?.before ?? user, parts?.after)
    } else if let pair = info?.userAndPassword {
      (name, password) = (ShellWords.Word(pair.user), ShellWords.Word(pair.password))
    } else {
      return
    }
    if let signature = command.value(.signature) {
      let parts = signature.text.split(ascii: ":").map(String.init)
      auth = .object([
        .init(
          "awsSigV4",
          .object([
            .init("service", .string(parts.count > 3 ? parts[3] : "execute-api")),
            .init("region", .string(parts.count > 2 ? parts[2] : "us-east-1")),
            .init("accessKey", secret("accessKey", name)),
            .init("secretKey", secret("secretKey", password ?? ShellWords.Word())),
          ]))
      ])
    } else {
      let scheme = command.has(.digest) ? "digest" : "basic"
      auth = .object([.init(scheme, userAndPassword(name, password))])
    }
  }

  /// - Parameter password: `nil` if curl would ask for it. Where it is empty, as in `-u KEY:`, the
  ///   name is the credential.
  private mutating func userAndPassword(
    _ user: ShellWords.Word, _ password: ShellWords.Word?
  ) -> JSONValue {
    if let password, password.text.isEmpty {
      return .object([.init("user", secret("apiKey", user)), .init("password", "")])
    }
    let password = password ?? ShellWords.Word()
    return .object([.init("user", value(user)), .init("password", secret("password", password))])
  }

  /// A reference to a secret input that stands for `word`.
  mutating func secret(_ name: String, _ word: ShellWords.Word) -> JSONValue {
    if case .variable(let variable) = word.parts.first, word.parts.count == 1 {
      return .string("{{inputs.\(declare(variable, isSecret: true))}}")
    }
    var free = name
    var number = 2
    while inputs.contains(where: { $0.name == free }) {
      free = name + String(number)
      number += 1
    }
    add(free, variable: Self.variableName(free), isSecret: true)
    credentials[free] = word.text
    return .string("{{inputs.\(free)}}")
  }

  // MARK: Values

  /// The input that stands for a variable of the shell.
  private mutating func declare(_ variable: String, isSecret: Bool) -> String {
    let name = Self.inputName(variable)
    if !inputs.contains(where: { $0.name == name }) {
      add(name, variable: variable, isSecret: isSecret)
    }
    return name
  }

  private mutating func add(_ name: String, variable: String, isSecret: Bool) {
    var input: [JSONValue.Member] = [.init("type", "string")]
    if isSecret { input.append(.init("secret", true)) }
    input.append(.init("env", .string(variable)))
    inputs.append(.init(name, .object(input)))
    secrets.append(name)
  }

  /// A word as a text in which variables are inputs, and braces stand for themselves.
  mutating func template(_ word: ShellWords.Word) -> String {
    var text = ""
    for part in word.parts {
      switch part {
      case .text(let literal): text += literal.replacing(bytes: "{{", with: "{{{{")
      case .variable(let name): text += "{{inputs.\(declare(name, isSecret: false))}}"
      }
    }
    return text
  }

  mutating func value(_ word: ShellWords.Word) -> JSONValue { .string(template(word)) }

  /// The value of a parameter, field or part. A credential is not kept.
  mutating func value(_ word: ShellWords.Word, of name: String) -> JSONValue {
    CredentialNames.isField(name) && !word.text.isEmpty
      ? secret(Self.inputName(name), word) : value(word)
  }

  mutating func value(_ node: JSONValue) -> JSONValue {
    switch node {
    case .string(let text):
      // JSON in a command was parsed as one text: its variables are marked in it.
      return .string(template(ShellWords.Word(marked: text)))
    case .array(let elements): return .array(elements.map { value($0) })
    case .object(let members):
      let object = JSONValue.object(
        members.map { member in
          guard case .string(let text) = member.value else {
            return .init(member.name, value(member.value))
          }
          return .init(member.name, value(ShellWords.Word(marked: text), of: member.name))
        })
      // A single key that begins with '$' would be a data form.
      return members.count == 1 && members[0].name.hasPrefix(bytes: "$")
        ? .object([.init("$literal", .object(members))]) : object
    case .null, .boolean, .number: return node
    }
  }

  /// Adds a map. Values of one name become a list.
  func addMap(
    _ key: String, _ pairs: [(name: String, value: JSONValue)], to members: inout [JSONValue.Member]
  ) {
    guard !pairs.isEmpty else { return }
    var names: [String] = []
    for pair in pairs where !names.contains(pair.name) { names.append(pair.name) }
    let map = names.map { name in
      let values = pairs.filter { $0.name == name }.map(\.value)
      return JSONValue.Member(name, values.count == 1 ? values[0] : .array(values))
    }
    members.append(.init(key, .object(map)))
  }

  // MARK: Settings

  /// A number of seconds, as a workflow writes it.
  private func duration(of option: CurlOption) -> String? {
    guard let seconds = command.value(option).flatMap({ Double($0.text) }), seconds > 0,
      seconds < 1e9
    else { return nil }
    let milliseconds = max(1, Int((seconds * 1000).rounded()))
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }

  private mutating func addSettings(to step: inout [JSONValue.Member]) {
    if let count = command.value(.retry).flatMap({ Int($0.text) }), count > 0 {
      step.append(.init("retry", JSONValue(count + 1)))
    }
    let total = duration(of: .maxTime)
    if let connect = duration(of: .connectTimeout) {
      let limits = [("total", total), ("connect", connect)].compactMap { name, text in
        text.map { JSONValue.Member(name, .string($0)) }
      }
      step.append(.init("timeout", .object(limits)))
    } else if let total {
      step.append(.init("timeout", .string(total)))
    }
    if let proxy = command.value(.proxy) {
      step.append(.init("proxy", .string(address(of: proxy))))
    }
    addTLS(to: &step)
    if let most = command.value(.maxRedirects).flatMap({ Int($0.text) }), most >= 0 {
      step.append(.init("redirects", JSONValue(most)))
    }
    if command.has(.insecure) {
      notes.append("-k is not taken over: name the server's certificate in 'tls': {\"ca\": …}")
    }
    if command.has(.output) || command.has(.remoteName) {
      notes.append("-o and -O are not taken over: 'save' writes a body to a file")
    }
  }

  /// The URL of a proxy, its password a secret input.
  private mutating func address(of proxy: ShellWords.Word) -> String {
    let (url, credentials) = proxy.takingCredentials()
    let address = url.text.contains(bytes: "://") ? template(url) : "http://" + template(url)
    guard let credentials, let start = address.firstRange(bytes: "://")?.upperBound else {
      return address
    }
    let parts = credentials.cut(at: ":")
    var user = template(ShellWords.Word(parts?.before ?? credentials))
    if let password = parts?.after,
      case .string(let reference) = secret("proxyPassword", ShellWords.Word(password))
    {
      user += ":" + reference
    }
    return address[..<start] + user + "@" + address[start...]
  }

  private mutating func addTLS(to step: inout [JSONValue.Member]) {
    var members: [JSONValue.Member] = []
    if let ca = command.value(.cacert) { members.append(.init("ca", value(ca))) }
    if let cert = command.value(.cert) {
      // One file may hold both. We support no key with a password after ':'.
      let path = cert.cut(at: ":")?.before ?? cert
      members.append(.init("cert", value(path)))
      members.append(.init("key", value(command.value(.key) ?? path)))
    }
    if !members.isEmpty { step.append(.init("tls", .object(members))) }
  }
}
