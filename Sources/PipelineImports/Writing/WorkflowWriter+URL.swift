internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineURIs

extension WorkflowWriter {
  // MARK: Query

  /// A URL without its fragment and query, and the query; `nil` if there is none.
  static func query(of url: ForeignText) -> (address: ForeignText, query: URLQuery?) {
    let url = url.cut(at: "#")?.before ?? url
    guard let (address, query) = url.cut(at: "?") else { return (url, nil) }
    return (address, URLQuery(query))
  }

  /// The fields of a form, `a=1&b=2`, decoded; `nil` if a field is not `name=value`.
  static func fields(ofForm text: ForeignText) -> [Field]? {
    func decoded(_ text: String) -> String? {
      URI.percentDecode(text.replacing(bytes: "+", with: " "))
    }
    var fields: [Field] = []
    for piece in text.split(at: "&") where !piece.isEmpty {
      guard let (name, value) = piece.cut(at: "="), let plain = name.plain,
        let decodedName = decoded(plain), !decodedName.isEmpty,
        let content = value.mapTexts(decoded)
      else { return nil }
      fields.append((decodedName, content))
    }
    return fields
  }

  /// A query as it is sent, without the values of credentials.
  mutating func written(_ query: ForeignText, _ line: Int) -> String {
    withoutCredentials(query, line) { $0.credential($1, $2, line) }
  }

  /// The template of a credential that is encoded in some way.
  private mutating func credential(_ name: String, _ value: ForeignText, _ line: Int) -> String {
    // What is beside a variable stays as it is encoded.
    guard let plain = value.plain else { return insertion(of: name, value, line) }
    let found = URLQuery.template(ofCredential: plain) {
      insertion(of: name, ForeignText(plain: $0), line)
    }
    guard let (text, count, isDivided) = found else {
      report.approximate(line, "the value of '\(name)' is encoded in another way")
      return insertion(of: name, ForeignText(plain: URI.percentDecode(plain) ?? plain), line)
    }
    if isDivided {
      let inputs = count == 1 ? "a secret input" : "\(count) secret inputs"
      report.approximate(
        line,
        "the value of '\(name)' has characters that are encoded in another way than inputs are; what"
          + " is beside them is \(inputs)")
    }
    return text
  }

  /// A reference to a credential.
  mutating func insertion(of name: String, _ value: ForeignText, _ line: Int) -> String {
    if case .string(let reference) = secret(name, value, line) { reference } else { "" }
  }

  /// A query or a form as a template, in which credentials are secret inputs.
  ///
  /// - Parameter insertion: The template for the value of a credential.
  mutating func withoutCredentials(
    _ fields: ForeignText, _ line: Int,
    insertion: (inout WorkflowWriter, String, ForeignText) -> String
  ) -> String {
    var pieces: [String] = []
    for piece in fields.split(at: "&") {
      guard let (name, value) = piece.cut(at: "="), !value.isEmpty,
        let word = name.plain.flatMap({ URI.percentDecode($0) }),
        value.isCredential || CredentialNames.isField(word)
          || value.plain.map({ CredentialNames.isShape(Array($0.utf8)) }) == true
      else {
        pieces.append(template(piece, line: line))
        continue
      }
      pieces.append(template(name, line: line) + "=" + insertion(&self, word, value))
    }
    return pieces.joined(separator: "&")
  }

  /// The page that a request names as its referrer, a URL that may hold credentials.
  mutating func referrer(_ url: ForeignText, _ line: Int) -> JSONValue {
    if url.hasUserInfo { return secret("referer", url, line) }
    guard let (address, query) = url.cut(at: "?") else { return .string(template(url, line: line)) }
    let fields = withoutCredentials(query, line) { $0.insertion(of: $1, $2, line) }
    return .string(template(address, line: line) + "?" + fields)
  }

  // MARK: Address

  /// A URL as the workflow has it: without the base that it shares with others.
  mutating func endpoint(_ address: ForeignText, _ line: Int) -> String {
    let address = resolved(address, line)
    var encoded = address.mapTexts { URLQuery.sent($0) } ?? address
    if case .variable(let name)? = base, address.parts.first == .variable(name),
      address.parts.count > 1
    {
      return template(ForeignText(parts: Array(encoded.parts.dropFirst())), line: line)
    }
    encoded = withScheme(encoded, line)
    switch (base, encoded.parts.first) {
    case (.origin(let origin)?, _) where address.start.hasPrefix(bytes: origin + "/"):
      return template(encoded.dropping(origin), line: line)
    case (_, .variable(let name)?) where encoded.parts.count > 1:
      return started(by: name, encoded, line)
    case (_, .text(let text)?) where !text.contains(bytes: "://") && !text.hasPrefix(bytes: "/"):
      return template(ForeignText(parts: [.text("http://")] + encoded.parts), line: line)
    default:
      return template(encoded, line: line)
    }
  }

  /// A URL whose scheme is written out, as endpoints need it: that of `{{scheme}}://{{host}}` is the
  /// value of its variable.
  mutating func withScheme(_ url: ForeignText, _ line: Int) -> ForeignText {
    var url = url
    let original = url
    for _ in 0..<8 {
      guard case .variable(let name)? = url.parts.first, holders[name] == nil,
        let value = collection.variable(name)?.value, value.plain == nil
      else { break }
      url = ForeignText(parts: value.parts + url.parts.dropFirst())
    }
    guard case .variable(let name)? = url.parts.first, url.parts.count > 1,
      case .text(let rest) = url.parts[1], rest.hasPrefix(bytes: "://")
    else { return original }
    let scheme = givenValue(name) ?? "https"
    report.approximate(line, "the scheme '{{\(name)}}' is written out as '\(scheme)'")
    var parts = [.text(scheme)] + url.parts.dropFirst()
    // No template can follow the one of the host.
    if parts.count > 3, case .variable = parts[2], case .variable(let path) = parts[3],
      let value = givenValue(path), value.isEmpty || value.hasPrefix(bytes: "/")
    {
      report.approximate(line, "the path '{{\(path)}}' is written out as '\(value)'")
      parts[3] = .text(value)
    }
    return ForeignText(parts: parts)
  }

  /// The value of a variable in the file, or else in its first environment that has one.
  private func givenValue(_ name: String) -> String? {
    let variables = [collection.variable(name)].compactMap(\.self)
    return (variables + collection.environments.flatMap(\.values)).lazy.filter {
      $0.name == name
    }.compactMap { $0.value?.plain }.first
  }

  /// A URL without segments that no request has: `.` and `..`, which are resolved before it is
  /// sent, and `:id`, which looks as if it had to be replaced.
  private mutating func resolved(_ url: ForeignText, _ line: Int) -> ForeignText {
    var segments = url.split(at: "/")
    // `https:`, nothing, the host; or a variable or a host.
    let start = url.start.contains(bytes: "://") ? 3 : 1
    guard segments.count > start else { return url }
    var kept = Array(segments[..<start])
    for (number, segment) in segments.enumerated().dropFirst(start) {
      let text = segment.plain ?? ""
      if text.equals(bytes: ".") || text.equals(bytes: "..") {
        report.approximate(line, "'\(text)' in the path is resolved before the request is sent")
        if text.equals(bytes: ".."), kept.count > start { kept.removeLast() }
        if number == segments.count - 1 { kept.append(ForeignText()) }
      } else if ForeignText.isPathVariable(text) {
        report.approximate(
          line, "'\(text)' in the path is sent as '%3A\(text.dropFirst(bytes: 1))'")
        kept.append(ForeignText(plain: "%3A" + text.dropFirst(bytes: 1)))
      } else {
        kept.append(segment)
      }
    }
    segments = kept
    var result = segments[0]
    for segment in segments.dropFirst() {
      result.append(.text("/"))
      result.append(segment)
    }
    return result
  }

  /// A URL that begins with a variable that is not the base of the others.
  private mutating func started(by name: String, _ address: ForeignText, _ line: Int) -> String {
    let rest = Array(address.parts.dropFirst())
    let value = collection.variable(name)?.value?.plain
    if case .text(let text)? = rest.first, text.hasPrefix(bytes: "/"),
      value != nil
        || collection.environments.contains(where: { $0.values.contains { $0.name == name } })
    {
      origins.insert(name)
      let text = template(address, line: line)
      inputs.change(name, BaseURL.normalized)
      return text
    }
    if let value {
      let start = ForeignText.Part.text(BaseURL.normalized(value))
      return template(ForeignText(parts: [start] + rest), line: line)
    }
    if case .text(let text)? = rest.first, !text.hasPrefix(bytes: "/") {
      return template(ForeignText(parts: [.text("http://")] + address.parts), line: line)
    }
    report.refuse(
      line, "the URL begins with '{{\(name)}}', whose value no file gives, and not with the base")
    return template(ForeignText(parts: [.text("http://")] + address.parts), line: line)
  }
}
