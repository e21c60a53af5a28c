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
    let headers = CurlHeaders(command, body)
    var request = ImportedRequest(line: line)
    let (address, user) = (command.urls.first ?? ShellWords.Word()).takingCredentials()
    let url = CurlURL(address, command, body)
    for note in command.notes + body.notes + headers.notes + url.notes {
      report.approximate(line, note)
    }
    request.method = CurlWorkflow.method(of: command, body)
    request.url = Self.text(url.address)
    if let query = url.writtenQuery {
      request.url.append(.text("?"))
      request.url.append(Self.text(query))
    }
    request.query = url.query.map { ($0.name, Self.text($0.value)) }
    request.headers = headers.fields.map { ($0.name, Self.text($0.value)) }
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
    case .pieces(let pieces):
      .pieces(
        pieces.map { piece in
          switch piece {
          case .text(let word): .text(text(word))
          case .file(let path): .file(text(path))
          case .lines(let path): .lines(text(path))
          }
        })
    case .multipart(let parts):
      .multipart(
        parts.map { part in
          ImportedRequest.Part(
            name: part.name.text, value: text(part.value), kind: kind(of: part),
            contentType: part.contentType, fileName: part.filename)
        })
    }
  }

  private static func kind(of part: CurlBody.Part) -> ImportedRequest.Part.Kind {
    switch part.kind {
    case .text: .text
    case .file: .file
    case .fileContent: .fileContent
    }
  }
}
