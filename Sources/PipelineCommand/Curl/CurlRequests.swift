internal import PipelineByteText
internal import PipelineImports
internal import PipelineJSONText
internal import PipelineURIs

/// The requests of several curl commands, which a browser copies at once.
struct CurlRequests {
  private(set) var requests: [ImportedRequest] = []
  private(set) var report = ImportReport()

  init(_ commands: [(line: Int, command: CurlCommand)], file: String) {
    report.file = file
    for (line, command) in commands { add(command, line) }
  }

  private mutating func add(_ command: CurlCommand, _ line: Int) {
    let body = CurlBody(command)
    for note in command.notes + body.notes { report.approximate(line, note) }
    var request = ImportedRequest(line: line)
    let (address, user) = (command.urls.first ?? ShellWords.Word()).takingCredentials()
    let url = CurlURL(address, adding: body.query)
    request.method = CurlWorkflow.method(of: command, body)
    request.url = Self.text(url.address)
    request.query = url.query.map { ($0.name, Self.text($0.value)) }
    addHeaders(of: command, without: body.impliedHeaders, to: &request, line)
    if let user = command.value(.user) ?? user.map({ $0.mapTexts { URI.percentDecode($0) } ?? $0 })
    {
      let scheme = command.has(.digest) ? "Digest " : "Basic "
      request.headers.append(
        ("Authorization", Self.text(ShellWords.Word(parts: [.text(scheme)] + user.parts))))
    }
    if let token = command.value(.bearer) {
      request.headers.append(
        ("Authorization", Self.text(ShellWords.Word(parts: [.text("Bearer ")] + token.parts))))
    }
    request.body = Self.body(body)
    for (option, _) in command.options where Self.settings.contains(option) {
      report.approximate(
        line, "--\(option.rawValue) is not taken over from several commands; import this one alone")
    }
    requests.append(request)
  }

  private static let settings: Set<CurlOption> = [
    .retry, .maxTime, .connectTimeout, .proxy, .cacert, .cert, .key, .maxRedirects, .insecure,
    .output, .remoteName, .signature,
  ]

  private mutating func addHeaders(
    of command: CurlCommand, without implied: Set<String>, to request: inout ImportedRequest,
    _ line: Int
  ) {
    for (option, value) in command.options {
      let field: (name: String, value: ShellWords.Word)? =
        switch option {
        case .header: value.cut(at: ":").map { ($0.before.text, $0.after.trimmed) }
        case .userAgent: ("User-Agent", value)
        case .referer: ("Referer", value)
        case .cookie where value.text.contains(bytes: "=") || value.isVariable: ("Cookie", value)
        default: nil
        }
      guard let field else {
        if option == .header || option == .cookie {
          report.approximate(line, "'\(value.text)' is not taken over")
        }
        continue
      }
      if field.value.parts.isEmpty || implied.contains(field.name.lowercased()) { continue }
      request.headers.append((field.name, Self.text(field.value)))
    }
  }

  /// A word, in which a variable of the shell is an input that the environment gives.
  private static func text(_ word: ShellWords.Word) -> ForeignText {
    ForeignText(
      parts: word.parts.map { part in
        switch part {
        case .text(let text): .text(text)
        case .variable(let name): .environment(name)
        }
      })
  }

  private static func body(_ body: CurlBody) -> ImportedRequest.Body? {
    switch body.content {
    case .none: nil
    case .json(let data): .json(text(ShellWords.Word(marked: data.node.text)))
    case .form(let fields): .form(fields.map { ($0.name, text($0.value)) })
    case .text(let word): .text(text(word))
    case .file(let path): .file(text(path))
    case .multipart(let parts):
      .multipart(
        parts.map { part in
          ImportedRequest.Part(
            name: part.name.text, value: text(part.value), isFile: part.isFile,
            contentType: part.contentType, fileName: part.filename)
        })
    }
  }
}
