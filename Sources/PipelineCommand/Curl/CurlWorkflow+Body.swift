internal import PipelineByteText
internal import PipelineImports
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineURIs

extension CurlWorkflow {
  /// The member `body` of the step.
  mutating func content(_ body: CurlBody) -> JSONValue? {
    switch body.content {
    case .none: return nil
    case .json(let data): return ["json": value(data)]
    case .form(let fields):
      var members: [JSONValue.Member] = []
      addMap("form", fields.map { ($0.name, value($0.value, of: $0.name)) }, to: &members)
      return .object(members)
    case .text(let text):
      let isForm = body.addedType?.hasSuffix(bytes: "form-urlencoded") == true
      return ["text": isForm ? .string(fields(text) { $0.insertion(of: $1, $2) }) : value(text)]
    case .pieces(let pieces): return ["text": FileText.joined(pieces.map { piece($0) })]
    case .file(let path): return ["file": file(path)]
    case .multipart(let parts): return ["multipart": .array(parts.map { part($0) })]
    }
  }

  private mutating func piece(_ piece: CurlBody.Piece) -> JSONValue {
    switch piece {
    case .text(let text): .string(fields(text) { $0.insertion(of: $1, $2) })
    case .file(let path): FileText.content(of: file(path))
    case .lines(let path): FileText.contentWithoutLineEnds(of: file(path))
    }
  }

  private mutating func part(_ part: CurlBody.Part) -> JSONValue {
    var members: [JSONValue.Member] = [.init("name", value(part.name))]
    switch part.kind {
    case .text: members.append(.init("value", value(part.value, of: part.name.text)))
    case .file: members.append(.init("file", file(part.value)))
    case .fileContent: members.append(.init("value", FileText.content(of: file(part.value))))
    }
    if let name = part.filename { members.append(.init("filename", .string(name))) }
    if let type = part.contentType { members.append(.init("contentType", .string(type))) }
    return .object(members)
  }

  /// The path of a file. A run reads only files below the folder of the workflow.
  private mutating func file(_ path: ShellWords.Word) -> JSONValue {
    let text = path.text
    let names = text.split(ascii: "/")
    let leadsOut =
      text.hasPrefix(bytes: "/") || text.hasPrefix(bytes: "~")
      || names.contains { $0.equals(bytes: "..") }
    guard leadsOut, path.parts.count == 1, !path.isVariable, let name = names.last else {
      return value(path)
    }
    notes.append(
      "the file '\(text)' is read from beside the workflow, as '\(name)'; put it there")
    return value(ShellWords.Word(parts: [.text(String(name))]))
  }

  // MARK: Fields that are kept as they are written

  /// A query as it is sent, without the values of credentials.
  mutating func written(_ query: ShellWords.Word) -> String {
    fields(query) { workflow, name, value in
      guard value.parts.count == 1, !value.isVariable else {
        return workflow.insertion(of: name, value)
      }
      let found = URLQuery.template(ofCredential: value.text) {
        workflow.insertion(of: name, ShellWords.Word(parts: [.text($0)]))
      }
      if found?.isDivided != false {
        workflow.notes.append(
          "the value of '\(name)' has characters that inputs encode in another way")
      }
      return found?.text
        ?? workflow.insertion(of: name, value.mapTexts { URI.percentDecode($0) } ?? value)
    }
  }

  /// A reference to a credential.
  private mutating func insertion(of name: String, _ value: ShellWords.Word) -> String {
    if case .string(let reference) = secret(Self.inputName(name), value) { reference } else { "" }
  }

  /// The page that a request names as its referrer, a URL that may hold credentials.
  mutating func referrer(_ url: ShellWords.Word) -> JSONValue {
    if url.takingCredentials().credentials != nil { return secret("referer", url) }
    guard let (address, query) = url.cut(at: "?") else { return value(url) }
    return .string(template(address) + "?" + fields(query) { $0.insertion(of: $1, $2) })
  }

  /// A query or a form in which credentials are secret inputs.
  ///
  /// - Parameter insertion: The template for the value of a credential.
  private mutating func fields(
    _ word: ShellWords.Word,
    insertion: (inout CurlWorkflow, String, ShellWords.Word) -> String
  ) -> String {
    var pieces: [String] = []
    for piece in word.split(at: "&") {
      guard let (name, value) = piece.cut(at: "="), !value.parts.isEmpty,
        let plain = URI.percentDecode(name.text), CredentialNames.isField(plain)
      else {
        pieces.append(template(piece))
        continue
      }
      pieces.append(template(name) + "=" + insertion(&self, plain, value))
    }
    return pieces.joined(separator: "&")
  }
}
