internal import PipelineByteText
internal import PipelineImports
internal import PipelineJSONText

/// The requests of several curl commands, which a browser copies at once, or of those in `.http`
/// files.
struct CurlRequests {
  private(set) var requests: [ImportedRequest] = []
  private(set) var report = ImportReport()

  init(_ commands: [(line: Int, command: CurlCommand)], _ report: ImportReport) {
    self.report = report
    for (line, command) in commands { add(command, line) }
  }

  /// Reads commands in which the placeholders of another tool are marked.
  static func read(
    _ text: String, _ start: Int, _ report: inout ImportReport
  ) -> [ImportedRequest] {
    do throws(ShellWords.Problem) {
      var commands: [(line: Int, command: CurlCommand)] = []
      for (line, words) in try ShellWords.commands(in: text) {
        for command in try CurlCommand.requests(words.map(\.separatingMarks)) {
          commands.append((start + line - 1, command))
        }
      }
      let read = CurlRequests(commands, report)
      report = read.report
      return read.requests
    } catch {
      report.refuse(start, "the curl command cannot be read: \(error.message)")
      return []
    }
  }

  private mutating func add(_ command: CurlCommand, _ line: Int) {
    let body = CurlBody(command)
    let headers = CurlHeaders(command, body)
    var request = ImportedRequest(line: line)
    let (address, info) = (command.urls.first ?? ShellWords.Word()).takingCredentials()
    let url = CurlURL(address, command, body)
    for reason in body.refusals { report.refuse(line, reason) }
    for note in command.notes + body.notes + headers.notes + url.notes {
      report.approximate(line, note)
    }
    request.method = CurlWorkflow.method(of: command, body)
    request.url = text(url.address, line)
    if let query = url.writtenQuery {
      request.url.append(.text("?"))
      request.url.append(text(query, line))
    }
    request.query = url.query.map { ($0.name, text($0.value, line)) }
    request.headers = headers.fields.map { ($0.name, text($0.value, line)) }
    let pair = info?.userAndPassword
    let isNamed = headers.fields.contains { $0.name.equalsIgnoringASCIICase("authorization") }
    if isNamed {
      // curl sends the header that is written.
    } else if let user = command.value(.user)?.foreign
      ?? pair.map({ ForeignText(parts: $0.user.parts + [.text(":")] + $0.password.parts) })
    {
      let scheme = command.has(.digest) ? "Digest " : "Basic "
      request.headers.append(
        ("Authorization", text(ForeignText(parts: [.text(scheme)] + user.parts), line)))
    }
    if let token = command.value(.bearer) {
      request.headers.append(
        ("Authorization", text(ShellWords.Word(parts: [.text("Bearer ")] + token.parts), line)))
    }
    request.body = self.body(body, line)
    for (option, _) in command.options where Self.settings.contains(option) {
      report.approximate(
        line, "--\(option.rawValue) is not taken over from several commands; import this one alone")
    }
    request.timeout = command.value(.maxTime).flatMap { Double($0.text) }
    request.redirectLimit = command.value(.maxRedirects).flatMap { Int($0.text) }.flatMap {
      $0 < 0 ? nil : $0
    }
    requests.append(request)
  }

  private static let settings: Set<CurlOption> = [
    .retry, .connectTimeout, .proxy, .cacert, .cert, .key, .insecure,
    .output, .remoteName, .signature,
  ]

  private mutating func text(_ word: ShellWords.Word, _ line: Int) -> ForeignText {
    text(word.foreign, line)
  }

  /// A word, in which a variable of the shell is an input that the environment gives, and a marked
  /// placeholder is what the other tool means by it.
  private mutating func text(_ word: ForeignText, _ line: Int) -> ForeignText {
    var text = ForeignText()
    for part in word.parts {
      if case .environment(let name) = part, name.hasPrefix(bytes: "{{") {
        text.append(ForeignText(name, line: line, &report))
      } else {
        text.append(part)
      }
    }
    return text
  }

  private mutating func body(_ body: CurlBody, _ line: Int) -> ImportedRequest.Body? {
    switch body.content {
    case .none: return nil
    case .json(let data): return .json(text(ShellWords.Word(marked: data.node.text), line))
    case .form(let fields): return .form(fields.map { ($0.name, text($0.value, line)) })
    case .text(let word): return .text(text(word, line))
    case .file(let path): return .file(text(path, line))
    case .pieces(let pieces):
      return .pieces(
        pieces.map { piece in
          switch piece {
          case .text(let word): .text(text(word, line))
          case .file(let path): .file(text(path, line))
          case .lines(let path): .lines(text(path, line))
          }
        })
    case .multipart(let parts):
      return .multipart(
        parts.map { part in
          ImportedRequest.Part(
            name: part.name.text, value: text(part.value, line), kind: Self.kind(of: part),
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

extension ShellWords.Word {
  /// The word with variables in place of the marks in its texts.
  fileprivate var separatingMarks: ShellWords.Word {
    ShellWords.Word(
      parts: parts.flatMap { part -> [ShellWords.Part] in
        if case .text(let text) = part { ShellWords.Word(marked: text).parts } else { [part] }
      })
  }
}
