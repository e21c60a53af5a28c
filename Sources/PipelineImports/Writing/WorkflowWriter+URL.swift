internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineURIs

extension WorkflowWriter {
  // MARK: Query

  /// The query of a URL.
  enum URLQuery {
    /// Fields, decoded, from which the same query is made.
    case fields([Field])
    /// The query as it is sent.
    case written(ForeignText)
  }

  /// A URL without its fragment and query, and the query.
  static func query(of url: ForeignText) -> (address: ForeignText, query: URLQuery) {
    let url = url.cut(at: "#")?.before ?? url
    guard let (address, query) = url.cut(at: "?") else { return (url, .fields([])) }
    return (address, fields(ofQuery: query).map(URLQuery.fields) ?? .written(query))
  }

  /// The fields of a query; `nil` if they would not give the same query: a field is not
  /// `name=value`, those of one name are apart, or a `+` is in it.
  ///
  /// A `+` means a blank only in forms. We would send `%20` or `%2B`, which servers may read in
  /// another way.
  private static func fields(ofQuery text: ForeignText) -> [Field]? {
    guard !text.contains(ascii: "+"), let fields = fields(of: text, decoded: URI.percentDecode),
      FieldOrder.isKept(fields.map(\.name))
    else { return nil }
    return fields
  }

  /// The fields of a form, `a=1&b=2`, decoded; `nil` if a field is not `name=value`.
  static func fields(ofForm text: ForeignText) -> [Field]? {
    fields(of: text) { URI.percentDecode($0.replacing(bytes: "+", with: " ")) }
  }

  private static func fields(
    of text: ForeignText, decoded: (String) -> String?
  ) -> [Field]? {
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
    let encoded = query.mapTexts { Self.encoded($0) } ?? query
    return withoutCredentials(encoded, line) { writer, name, value in
      if value.contains(ascii: "+") {
        writer.report.approximate(line, "a '+' in the value of '\(name)' is sent as '%2B'")
      }
      return writer.insertion(of: name, value.mapTexts { URI.percentDecode($0) } ?? value, line)
    }
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
    var encoded = address.mapTexts { Self.encoded($0) } ?? address
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

  private static let unencoded = ASCIISet.unreserved.union(ASCIISet(":/?#[]@!$&'()*+,;=%"))

  static func encoded(_ text: String) -> String {
    URI.percentEncode(encodingSigns(text), allowing: unencoded)
  }

  /// A text in which each `%` begins an encoded octet: another one is a sign, and is encoded itself.
  private static func encodingSigns(_ text: String) -> String {
    guard text.contains(ascii: "%") else { return text }
    let bytes = Array(text.utf8)
    var encoded: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      encoded.append(byte)
      let isOctet =
        index + 2 < bytes.count && URI.hexadecimalValue(bytes[index + 1]) != nil
        && URI.hexadecimalValue(bytes[index + 2]) != nil
      if byte == UInt8(ascii: "%"), !isOctet { encoded += "25".utf8 }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
