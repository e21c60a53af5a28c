internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineSourceText

/// The target of a request: `GET /users/{{id}}`, an optional method and a URL.
package struct Endpoint: Sendable, Hashable {
  /// The text as its author wrote it.
  package let text: String
  /// The method as written; nil if there is none or it is a problem.
  package let method: String?
  /// UTF-8 offsets of the first word, if it stands for a method.
  package let methodRange: Range<Int>?
  package let url: URLTemplate
  /// UTF-8 offsets of the URL.
  package let urlRange: Range<Int>
  /// Whether nothing is wrong with it.
  package private(set) var isSound = true

  /// The endpoint of `text` and everything wrong with it. Linear in the length of the text.
  package static func parse(_ text: String) -> (endpoint: Endpoint, problems: [TemplateProblem]) {
    var parser = EndpointParser(text)
    var endpoint = parser.parse()
    endpoint.isSound = parser.problems.isEmpty
    return (endpoint, parser.problems.inOrder)
  }
}

private struct EndpointParser {
  let text: String
  let bytes: [UInt8]
  var problems: [TemplateProblem] = []

  init(_ text: String) {
    self.text = text
    self.bytes = Array(text.utf8)
  }

  mutating func parse() -> Endpoint {
    let range = withoutOuterSpaces()
    guard !range.isEmpty else {
      problems.append(
        TemplateProblem(
          .endpoint, "an endpoint is missing; write a method and a path, such as 'GET /users'",
          at: 0..<bytes.count))
      return endpoint(method: nil, at: nil, url: range)
    }
    let word = range.lowerBound..<firstSpace(in: range)
    let name = String(decoding: bytes[word], as: UTF8.self)
    let isAlone = word.upperBound == range.upperBound
    if let joined = joinedMethod(in: word) {
      let name = String(decoding: bytes[joined], as: UTF8.self)
      problems.append(
        TemplateProblem(
          .method, "a space is missing after '\(name)'", at: joined, fix: "\(name) "))
      return endpoint(method: name, at: joined, url: joined.upperBound..<range.upperBound)
    }
    if !isAlone, let method = punctuatedMethod(name) {
      problems.append(
        TemplateProblem(
          .method, "a method has no punctuation after it; write '\(method)'", at: word, fix: method)
      )
      return endpoint(method: method, at: word, url: afterSpaces(word, in: range))
    }
    if !isAlone, let last = methodAtEnd(of: range, after: word) { return last }
    guard isAlone ? HTTPMethod.isKnown(name) : HTTPMethod.isWord(name) else {
      let isTemplate = judgeMethodTemplate(word, isAlone: isAlone)
      return endpoint(
        method: nil, at: nil, url: isTemplate ? afterSpaces(word, in: range) : range)
    }
    let method = judge(method: name, at: word)
    guard !isAlone else {
      problems.append(
        TemplateProblem(
          .endpoint, "a URL is missing after '\(name)'; write a path: '\(name) /users'", at: word,
          fix: "\(name) /users", isGuess: true))
      return endpoint(method: method, at: word, url: range.upperBound..<range.upperBound)
    }
    return endpoint(method: method, at: word, url: withoutVersion(afterSpaces(word, in: range)))
  }

  /// The method of `GET/users` and `GEThttps://…`.
  private func joinedMethod(in word: Range<Int>) -> Range<Int>? {
    let capitals = bytes[word].prefix { (0x41...0x5A).contains($0) }
    let rest = bytes[capitals.endIndex..<word.upperBound]
    guard capitals.count > 2, HTTPMethod.isKnown(String(decoding: capitals, as: UTF8.self)),
      rest.first == UInt8(ascii: "/") || rest.starts(with: "http".utf8)
    else { return nil }
    return word.lowerBound..<capitals.endIndex
  }

  /// The method of `POST: /users` and `POST, /users`.
  private func punctuatedMethod(_ word: String) -> String? {
    guard word.hasSuffix(bytes: ":") || word.hasSuffix(bytes: ",") else { return nil }
    let method = String(word.dropLast(bytes: 1)).uppercased()
    return HTTPMethod.isKnown(method) ? method : nil
  }

  /// The endpoint of `/users POST`, with a report; `nil` if it does not end so.
  private mutating func methodAtEnd(of range: Range<Int>, after word: Range<Int>) -> Endpoint? {
    var start = word.upperBound
    while start < range.upperBound, ReferenceParser.isSpace(bytes[start]) { start += 1 }
    let last = start..<range.upperBound
    let name = String(decoding: bytes[last], as: UTF8.self)
    let first = String(decoding: bytes[word], as: UTF8.self)
    guard HTTPMethod.isKnown(name), !HTTPMethod.isWord(first) else { return nil }
    problems.append(
      TemplateProblem(
        .method, "the method comes before the URL; write '\(name) \(first)'", at: range,
        fix: "\(name) \(first)"))
    return endpoint(method: name, at: last, url: word)
  }

  private mutating func endpoint(
    method: String?, at methodRange: Range<Int>?, url range: Range<Int>
  ) -> Endpoint {
    let (url, found) = URLTemplateParser.parse(bytes, in: range)
    problems += found
    return Endpoint(
      text: text, method: method, methodRange: methodRange, url: url, urlRange: range)
  }

  // MARK: Method

  private mutating func judge(method name: String, at range: Range<Int>) -> String? {
    if name == "CONNECT" {
      problems.append(
        TemplateProblem(
          .method, "'CONNECT' opens a tunnel, which no step can use; name a proxy in 'proxy'",
          at: range))
      return nil
    }
    if HTTPMethod.isKnown(name) { return name }
    let capitals = name.uppercased()
    if HTTPMethod.isKnown(capitals) {
      problems.append(
        TemplateProblem(
          .method, "a method is in capitals: '\(capitals)'", at: range, fix: capitals))
      return capitals
    }
    let nearest = Self.nearestMethod(to: capitals)
    problems.append(
      TemplateProblem(
        .method,
        "'\(name)' is not a method"
          + (nearest.map { "; did you mean '\($0)'?" } ?? "; use 'GET', 'POST', 'PUT' or 'DELETE'"),
        at: range, fix: nearest))
    return nearest
  }

  /// The common method that `name` was meant to be.
  private static func nearestMethod(to name: String) -> String? {
    Spelling.nearest(
      to: name, among: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
  }

  /// Whether it is `{{method}} /users`, which is then reported.
  private mutating func judgeMethodTemplate(_ word: Range<Int>, isAlone: Bool) -> Bool {
    guard !isAlone, bytes[word].starts(with: "{{".utf8), bytes[word].suffix(2) == [0x7D, 0x7D]
    else { return false }
    problems.append(
      TemplateProblem(
        .method, "a method is written out; use one step for each, with 'when'", at: word))
    return true
  }

  // MARK: Spaces

  private mutating func withoutOuterSpaces() -> Range<Int> {
    var range = 0..<bytes.count
    while let first = range.first, ReferenceParser.isSpace(bytes[first]) {
      range = range.dropFirst()
    }
    while let last = range.last, ReferenceParser.isSpace(bytes[last]) { range = range.dropLast() }
    guard !range.isEmpty else { return range }
    for outer in [0..<range.lowerBound, range.upperBound..<bytes.count] where !outer.isEmpty {
      problems.append(
        TemplateProblem(
          .endpoint, "an endpoint has no spaces around it; remove them", at: outer, fix: ""))
    }
    return range
  }

  /// The first space that is in no template.
  private func firstSpace(in range: Range<Int>) -> Int {
    let start = range.first { ReferenceParser.isSpace(bytes[$0]) || bytes[$0] == UInt8(ascii: "{") }
    guard let start, bytes[start] == UInt8(ascii: "{") else { return start ?? range.upperBound }
    for case .text(let text) in BraceScanner(bytes, in: range) {
      if let space = text.first(where: { ReferenceParser.isSpace(bytes[$0]) }) { return space }
    }
    return range.upperBound
  }

  private mutating func afterSpaces(_ word: Range<Int>, in range: Range<Int>) -> Range<Int> {
    var start = word.upperBound
    while start < range.upperBound, ReferenceParser.isSpace(bytes[start]) { start += 1 }
    let spaces = word.upperBound..<start
    if spaces.count != 1 || bytes[spaces.lowerBound] != UInt8(ascii: " ") {
      problems.append(
        TemplateProblem(
          .endpoint, "write one space between method and URL", at: spaces, fix: " "))
    }
    return start..<range.upperBound
  }

  /// `GET /users HTTP/1.1`, as it is in requests.
  private mutating func withoutVersion(_ range: Range<Int>) -> Range<Int> {
    guard let space = bytes[range].lastIndex(of: UInt8(ascii: " ")),
      bytes[space..<range.upperBound].starts(with: " HTTP/".utf8)
    else { return range }
    let version = String(decoding: bytes[space + 1..<range.upperBound], as: UTF8.self)
    problems.append(
      TemplateProblem(
        .endpoint, "an endpoint ends with its URL; drop '\(version)'", at: space..<range.upperBound,
        fix: ""))
    return range.lowerBound..<space
  }
}
