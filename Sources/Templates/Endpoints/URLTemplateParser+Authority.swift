internal import ByteText
internal import URIs

extension URLTemplateParser {
  /// Reads `http://host`, `https://host` or `sandbox:` and what follows; nil where none stands.
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
        problems.append(
          TemplateProblem(
            .url, "'\(scheme):' is followed by '//' and a host", at: range, fix: "\(scheme)://"))
      }
      parsePath()
      return .absolute
    case nil:
      let next = name.count + 1 < symbols.count ? symbols[name.count + 1].byte : nil
      if hasAuthority {
        problems.append(
          TemplateProblem(
            .url, "the scheme '\(scheme)' is not supported; use 'https'", at: range))
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
