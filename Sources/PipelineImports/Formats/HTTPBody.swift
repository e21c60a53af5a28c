internal import PipelineByteText
internal import PipelineRecordings

/// The body of a request in an `.http` file.
struct HTTPBody {
  /// The line on which the part begins that was read last, at first that of the body.
  private var line: Int
  /// The body from that part on.
  private var rest: Substring
  private(set) var report: ImportReport

  init(_ text: String, line: Int, _ report: ImportReport) {
    self.line = line
    rest = text[...]
    self.report = report
  }

  /// A part of the body. Parts are read in their order.
  private mutating func foreign(_ text: String) -> ForeignText {
    if let range = rest.firstRange(bytes: text) {
      line += rest[..<range.lowerBound].lineBreaks
      rest = rest[range.lowerBound...]
    }
    return ForeignText(lines: text, line: line, &report)
  }

  mutating func body(_ text: String, of request: ImportedRequest) -> ImportedRequest.Body? {
    let type = request.headers.first { $0.name.equalsIgnoringASCIICase("content-type") }
    let mediaType = (type?.value.plain ?? "").lowercased()
    if let path = path(text) { return .file(foreign(path)) }
    if mediaType.hasPrefix(bytes: "multipart/") { return multipart(text) }
    if mediaType.hasPrefix(bytes: "application/x-www-form-urlencoded") {
      var joined = ForeignText()
      for line in text.split(ascii: "\n") {
        for part in foreign(String(line).trimmed).parts { joined.append(part) }
      }
      return .text(joined)
    }
    let looksLikeJSON = text.hasPrefix(bytes: "{") || text.hasPrefix(bytes: "[")
    let isJSON = mediaType.contains(bytes: "json") || mediaType.isEmpty && looksLikeJSON
    if text.split(ascii: "\n").contains(where: { Self.file($0) != nil }) {
      report.refuse(
        line, "a body of which a file is a part is not translated; write it in one file")
      return nil
    }
    let content = ForeignText(lines: text, line: line, &report)
    return isJSON ? .json(content) : .text(content)
  }

  /// The path of `< ./file`, `<@ ./file` or `<@latin1 ./file`; `nil` if a text is another one.
  private static func file(_ text: some StringProtocol) -> (path: String, isTemplate: Bool)? {
    guard text.hasPrefix(bytes: "<"), text.firstIndex(ascii: "\n") == nil,
      text.firstIndex(ascii: ">") == nil
    else { return nil }
    let rest = Substring(text).dropFirst(bytes: 1)
    let isTemplate = rest.hasPrefix(bytes: "@")
    // The encoding follows the sign.
    guard let blank = rest.firstIndex(ascii: " "), isTemplate || blank == rest.startIndex else {
      return nil
    }
    let path = String(rest[blank...]).trimmed
    return path.isEmpty ? nil : (path, isTemplate)
  }

  private mutating func path(_ text: String) -> String? {
    guard let (path, isTemplate) = Self.file(text) else { return nil }
    if isTemplate {
      report.approximate(line, "variables in the file '\(path)' are not replaced")
    }
    return path
  }

  private mutating func multipart(_ text: String) -> ImportedRequest.Body? {
    let parts = MultipartText.parts(of: text)
    guard !parts.isEmpty else {
      report.refuse(line, "the parts of the body have no names; write it as 'multipart'")
      return nil
    }
    return .multipart(
      parts.map { part in
        let value = part.value ?? ""
        guard let path = path(value) else {
          return .init(
            name: part.name, value: foreign(value), contentType: part.type,
            fileName: part.fileName)
        }
        let isNamed = path.split(ascii: "/").last.map { String($0) } == part.fileName
        return .init(
          name: part.name, value: foreign(path), isFile: true, contentType: part.type,
          fileName: isNamed ? nil : part.fileName)
      })
  }

  /// A query, and after a blank line its variables.
  mutating func graphQL(_ text: String) -> ImportedRequest.Body? {
    if Self.file(text) != nil {
      report.refuse(line, "a query of GraphQL in a file is not translated; write it in 'graphql'")
      return nil
    }
    let gap = text.firstRange(bytes: "\n\n{")
    let query = gap.map { text[..<$0.lowerBound] } ?? text[...]
    let lines = query.utf8.count { $0 == UInt8(ascii: "\n") }
    let written = ForeignText(lines: String(query).trimmed, line: line, &report)
    return .graphql(
      query: written,
      variables: gap.map {
        ForeignText(lines: String(text[$0.lowerBound...]).trimmed, line: line + lines + 2, &report)
      })
  }
}
