internal import PipelineByteText
internal import PipelineURIs

extension URLTemplateParser {
  /// Reads `http://host`, `https://host` or `sandbox:` and the rest; nil if there is none.
  mutating func parseScheme() -> URLTemplate.Form? {
    let name = symbols.prefix { symbol in
      symbol.byte.map { ASCIISet.scheme.contains($0) } ?? false
    }
    guard name.count > 0, name.count < symbols.count,
      symbols[name.count].byte == UInt8(ascii: ":"),
      let first = name[0].byte, ASCIISet.letters.contains(first)
    else { return nil }
    let scheme = String(decoding: name.compactMap(\.byte), as: UTF8.self)
    let range = symbols[0].range.lowerBound..<symbols[name.count].range.upperBound
    let hasAuthority = startsWith("//", at: name.count + 1)
    if scheme.lowercased() == URLTemplate.handlerScheme, !hasAuthority {
      take(name.count + 1)
      parseHandler()
      return .absolute
    }
    switch URLScheme(scheme) {
    case .sandbox:
      take(name.count + 1)
      parsePath()
      return .absolute
    case .http, .https:
      take(name.count + 1)
      if hasAuthority {
        take(2)
        parseAuthority()
      } else {
        let end = name.count + (startsWith("/", at: name.count + 1) ? 1 : 0)
        problems.append(
          TemplateProblem(
            .url, "'\(scheme):' is followed by '//' and a host",
            at: range.lowerBound..<symbols[end].range.upperBound, fix: "\(scheme)://"))
      }
      parsePath()
      return .absolute
    case nil:
      let next = name.count + 1 < symbols.count ? symbols[name.count + 1].byte : nil
      if hasAuthority {
        problems.append(
          TemplateProblem(
            .url, "the scheme '\(scheme)' is not supported; use 'https'", at: range,
            fix: "https:", isGuess: true))
      } else if let next, ASCIISet.digits.contains(next) {
        problems.append(
          TemplateProblem(
            .url, "'\(scheme):' would be a scheme; write 'http://' before a host and port",
            at: range, fix: "http://\(scheme):"))
      } else {
        problems.append(
          TemplateProblem(
            .url, "'\(scheme):' would be a scheme; a path begins with '/'", at: range,
            fix: "/\(scheme):"))
      }
      return nil
    }
  }

  /// Reads the name after `swift:`, which nothing follows.
  private mutating func parseHandler() {
    let start = index
    var isName = index < symbols.count
    while index < symbols.count {
      let symbol = symbols[index]
      if let byte = symbol.byte, ASCIISet.handlerName.contains(byte) {
        literal.append(byte)
      } else {
        isName = false
      }
      index += 1
    }
    endLiteral()
    guard !isName else { return }
    let first = start < symbols.count ? start : start - 1
    problems.append(
      TemplateProblem(
        .url,
        "after 'swift:' comes the name of a handler, written out with letters, digits, '-', '_'"
          + " and '.': 'swift:score'",
        at: symbols[first].range.lowerBound..<symbols[symbols.count - 1].range.upperBound))
  }

  private mutating func parseAuthority() {
    let start = index
    var sample: [UInt8] = []
    var hasReference = false
    while index < symbols.count {
      let symbol = symbols[index]
      if let byte = symbol.byte, ASCIISet.endOfAuthority.contains(byte) { break }
      switch symbol {
      case .byte(let byte, _):
        sample.append(byte)
        literal.append(byte)
      case .reference(let number, _):
        addReference(references[number], at: .authority)
        hasReference = true
        sample.append(UInt8(ascii: "1"))
      case .opaque:
        sample.append(UInt8(ascii: "1"))
      }
      index += 1
    }
    endLiteral()
    if hasReference { pieces.append(.endOfAuthority) }
    // An empty authority is shown by the slashes before it.
    let first = index > start ? start : start - 2
    let range = symbols[first].range.lowerBound..<symbols[index - 1].range.upperBound
    judge(authority: sample, at: range)
  }

  private mutating func judge(authority: [UInt8], at range: Range<Int>) {
    if let at = authority.lastIndex(of: UInt8(ascii: "@")), at > 0 {
      problems.append(
        TemplateProblem(
          .urlCredentials,
          "a user or password in a URL appears in logs; use 'auth'",
          at: range))
      return
    }
    let text = String(decoding: authority, as: UTF8.self)
    guard let parsed = URI.Authority.parse(text[...]), !parsed.host.isEmpty else {
      problems.append(
        TemplateProblem(
          .url,
          authority.isEmpty || authority[0] == UInt8(ascii: ":")
            ? "a host is missing after '//'"
            : "this is not a host: a host has letters, digits, '.' and '-', and may have a port"
              + " up to 65535 after ':'",
          at: range))
      return
    }
  }
}

extension ASCIISet {
  fileprivate static let handlerName = letters.union(digits).union(ASCIISet("-_."))
}

extension URLTemplate {
  static let handlerScheme = "swift"

  /// The name of the handler in Swift that is called in place of a server, in `swift:NAME`.
  package var handler: String? {
    let prefix = Self.handlerScheme + ":"
    guard form == .absolute, pieces.count == 1, case .text(let text) = pieces[0],
      text.utf8.count > prefix.utf8.count,
      text.prefix(before: ":").lowercased() == Self.handlerScheme
    else { return nil }
    let name = text.dropFirst(bytes: prefix.utf8.count)
    return name.hasPrefix(bytes: "/") ? nil : String(name)
  }
}
