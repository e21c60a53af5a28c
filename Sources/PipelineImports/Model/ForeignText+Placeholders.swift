internal import PipelineByteText
internal import PipelineTemplates

extension ForeignText {
  /// Reads a text in which `{{…}}` are placeholders.
  ///
  /// - Parameter line: The line of the text, for the report.
  package init(_ text: some StringProtocol, line: Int, _ report: inout ImportReport) {
    self.init(text, lineAfter: { _ in line }, &report)
  }

  /// Reads a text whose lines are those of the file.
  ///
  /// - Parameter line: The line on which it begins.
  init(lines text: some StringProtocol, line: Int, _ report: inout ImportReport) {
    var line = line
    self.init(
      text,
      lineAfter: { passed in
        line += passed.lineBreaks
        return line
      }, &report)
  }

  /// - Parameter lineAfter: The line of a placeholder, after what precedes it.
  private init(
    _ text: some StringProtocol, lineAfter: (Substring) -> Int, _ report: inout ImportReport
  ) {
    self.init()
    var rest = Substring(text)
    while let open = rest.firstRange(bytes: "{{"),
      let close = rest[open.upperBound...].firstRange(bytes: "}}")
    {
      append(.text(String(rest[..<open.lowerBound])))
      let name = String(rest[open.upperBound..<close.lowerBound]).trimmed
      let line = lineAfter(rest[..<open.lowerBound])
      append(Self.part(name, line: line, &report))
      _ = lineAfter(rest[open.lowerBound..<close.upperBound])
      rest = rest[close.upperBound...]
    }
    append(.text(String(rest)))
  }

  private static func part(_ name: String, line: Int, _ report: inout ImportReport) -> Part {
    if name.equals(bytes: "newDate") { return .moment }
    if name.equals(bytes: "newUuid") { return dynamic("$newUuid", line: line, &report) }
    if let login = login(name) { return .login(login) }
    if name.hasPrefix(bytes: "process.env.") {
      return .environment(String(name.dropFirst(bytes: "process.env.".utf8.count)))
    }
    if name.hasPrefix(bytes: "$") { return dynamic(name, line: line, &report) }
    // A secret that the tool keeps elsewhere.
    if name.hasPrefix(bytes: "vault:") { return .variable(name) }
    if let reference = answer(name) { return reference }
    if name.contains(bytes: ".request.") {
      report.refuse(line, "'{{\(name)}}' reads a request; only responses can be read")
    }
    return .variable(name)
  }

  /// The name of a login: `work` of `$auth.token("work")`.
  private static func login(_ name: String) -> String? {
    guard let start = ["$auth.token(", "$auth.idToken("].first(where: name.hasPrefix(bytes:)) else {
      return nil
    }
    let inside = String(name.dropFirst(bytes: start.utf8.count).prefix(before: ")")).trimmed
    return String(inside.drop { "\"'".contains($0) }.prefix { !"\"'".contains($0) })
  }

  /// `login.response.body.$.token` and `login.response.headers.Location`.
  private static func answer(_ name: String) -> Part? {
    guard let range = name.firstRange(bytes: ".response.") else { return nil }
    let request = String(name[..<range.lowerBound])
    let path = name[range.upperBound...]
    if path.hasPrefix(bytes: "headers.") {
      return .answer(request: request, source: .header(String(path.dropFirst(bytes: 8))))
    }
    guard path.hasPrefix(bytes: "body") else { return nil }
    let query = path.dropFirst(bytes: 4)
    if query.isEmpty || query.equals(bytes: ".*") {
      return .answer(request: request, source: .body("$"))
    }
    let rest = query.hasPrefix(bytes: ".$") ? query.dropFirst(bytes: 2) : query
    return .answer(request: request, source: .body("$" + rest))
  }

  /// Whether a tool writes a moment as RFC 3339 does: `$isoTimestamp`, `$datetime iso8601`.
  private static func isRFC3339(_ words: [String]) -> Bool {
    words.first?.lowercasedASCII.hasPrefix(bytes: "iso") == true
      || words.count == 2 && words[1].equals(bytes: "iso8601")
  }

  /// Values that the other tool makes itself. What is known of a run under their names is in the
  /// table that lint has, too.
  private static func dynamic(_ name: String, line: Int, _ report: inout ImportReport) -> Part {
    let words = name.dropFirst(bytes: 1).split(ascii: " ").map(String.init)
    let kind = words.first ?? ""
    switch kind {
    case "processEnv", "dotenv":
      if let variable = words.last, words.count > 1 {
        return .environment(
          variable.hasPrefix(bytes: "%") ? String(variable.dropFirst()) : variable)
      }
    case _ where kind.hasPrefix(bytes: "env."):
      return .environment(String(kind.dropFirst(bytes: 4)))
    default: break
    }
    let member = ForeignDialect.memberOfRun(named: kind.replacing(bytes: "local", with: ""))
    if let member, member.name.equals(bytes: "startedAt"), isRFC3339(words) { return .moment }
    let hint = member.map {
      "; '{{run.\($0.name)}}' is \($0.meaning.replacing(bytes: "which is ", with: ""))"
    }
    report.approximate(
      line,
      "'{{\(name)}}' is a new value each time; here it is an input, which you give" + (hint ?? ""))
    return .variable(kind.split(ascii: ".").joined(separator: " "))
  }
}

extension StringProtocol {
  /// How many lines end in the text.
  var lineBreaks: Int { utf8.count { $0 == UInt8(ascii: "\n") } }
}
