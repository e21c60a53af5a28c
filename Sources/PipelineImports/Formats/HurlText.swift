internal import PipelineByteText
internal import PipelineJSONPaths

/// The texts of Hurl's lines.
enum HurlText {
  /// A line without what comes after ` #`, outside of quotes.
  static func withoutComment(_ line: String) -> String {
    var isInString = false
    var isEscaped = false
    var before: UInt8 = 0x20
    for index in line.utf8.indices {
      let byte = line.utf8[index]
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else if byte == UInt8(ascii: "#"), !isInString, before == 0x20 {
        return String(line[..<index]).trimmed
      }
      before = byte
    }
    return line
  }

  /// `name: value`, in which characters may be escaped: `\:`, `\u{5b}`.
  static func pair(_ line: String) -> (name: String, value: String)? {
    var isEscaped = false
    for index in line.utf8.indices {
      let byte = line.utf8[index]
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: ":") {
        let name = unescaped(line[..<index], "#: \\").trimmed
        let value = line[line.utf8.index(after: index)...]
        return name.isEmpty ? nil : (name, unescaped(value, "#").trimmed)
      }
    }
    return nil
  }

  /// A text without the escapes of some characters. Others stay, for what is read in the text.
  private static func unescaped(_ text: Substring, _ characters: String) -> String {
    var result = ""
    var rest = text
    while let slash = rest.firstRange(bytes: "\\") {
      result += rest[..<slash.lowerBound]
      rest = rest[slash.upperBound...]
      let digits = Substring(rest.utf8.dropFirst(2).prefix(8).prefix { $0 != UInt8(ascii: "}") })
      if rest.hasPrefix(bytes: "u{"), let code = UInt32(digits, radix: 16),
        let scalar = Unicode.Scalar(code),
        rest.dropFirst(bytes: digits.utf8.count + 2).hasPrefix(bytes: "}")
      {
        result.unicodeScalars.append(scalar)
        rest = rest.dropFirst(bytes: digits.utf8.count + 3)
      } else if let first = rest.first, characters.contains(first) {
        result.append(first)
        rest = rest.dropFirst()
      } else {
        result += "\\" + rest.prefix(1)
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }

  static func unquoted(_ text: String) -> String {
    var cursor = ScriptCursor(text)
    return cursor.takeString() ?? text
  }
}

/// The options of an entry that change what a workflow does.
struct HurlOptions {
  private var isFollowing = false
  private var retries = 0
  private var interval = 1.0
  private var timeout: Double?
  private var redirectLimit: Int?

  private static let harmless: Set<String> = [
    "verbose", "very-verbose", "verbosity", "compressed", "http1.0", "http1.1", "http2", "http3",
    "ipv4", "ipv6", "path-as-is", "connect-timeout", "color", "no-output",
  ]

  mutating func read(_ name: String, _ value: String, line: Int, _ report: inout ImportReport) {
    switch name {
    case "location", "location-trusted": isFollowing = value.equals(bytes: "true")
    // -1 is without end.
    case "retry": retries = Int(value) ?? 0
    case "retry-interval": interval = Self.seconds(value) ?? 1
    // Without a unit it is in seconds.
    case "max-time": timeout = Double(value) ?? Self.seconds(value)
    case "max-redirs": redirectLimit = Int(value).flatMap { $0 < 0 ? nil : $0 }
    case "insecure" where value.equals(bytes: "false"): break
    case _ where Self.harmless.contains(name):
      report.approximate(line, "the option '\(name)' has no effect here")
    default: report.refuse(line, "the option '\(name)' is not translated")
    }
  }

  /// `500`, `500ms` or `2s`, in seconds.
  private static func seconds(_ text: String) -> Double? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Double(digits) else { return nil }
    return text.hasSuffix(bytes: "s") && !text.hasSuffix(bytes: "ms") ? number : number / 1000
  }

  /// A retried entry with assertions waits until they hold: it polls.
  func apply(to request: inout ImportedRequest, _ report: inout ImportReport) {
    if isFollowing { request.followsRedirects = true }
    request.timeout = timeout
    request.redirectLimit = redirectLimit
    guard retries != 0 else { return }
    guard !request.conditions.isEmpty else {
      report.refuse(request.line, "'retry' without assertions is not translated; write 'retry'")
      return
    }
    let all = request.conditions.map { "(\($0))" }.joined(separator: " && ")
    let until = request.conditions.count == 1 ? request.conditions[0] : all
    // The first request is not a retry.
    let attempts = retries > 0 && retries < 1_000_000 ? retries + 1 : nil
    request.poll = (until, interval, attempts)
    request.conditions = []
  }
}

/// What captures and assertions read of a response.
enum HurlQuery {
  struct Problem: Error {
    let reason: String
  }

  /// The source of a capture: a query, and at most a filter `regex`.
  static func source(_ text: String) -> Result<ImportedSource, Problem> {
    var cursor = ScriptCursor(text)
    guard let source = take(&cursor) else { return .failure(refusal(of: text)) }
    if cursor.isAtEnd { return .success(source) }
    var look = cursor
    if look.take("regex"), let pattern = look.takePatternText(), look.isAtEnd {
      guard let own = IRegexp.meantCapture(by: pattern) else {
        return .failure(refusal(ofPattern: pattern))
      }
      return .success(.match(own, of: source))
    }
    if case .body(let query) = source {
      if cursor.take("first"), cursor.isAtEnd { return .success(.body(query + "[0]")) }
      if cursor.take("last"), cursor.isAtEnd { return .success(.body(query + "[-1]")) }
      if cursor.take("nth"), let index = cursor.takeLiteral().flatMap({ Int($0) }), cursor.isAtEnd {
        return .success(.body("\(query)[\(index)]"))
      }
    }
    return .failure(
      Problem(reason: "the filter '\(String(cursor.rest).trimmed)' is not translated"))
  }

  /// Why a capture has no counterpart: another pattern would take another part of the text.
  private static func refusal(ofPattern pattern: String) -> Problem {
    Problem(
      reason: "the pattern '\(String(pattern.unicodeScalars.prefix(60)))' is not translated: no"
        + " pattern of RFC 9485 takes the same part; write 'extract' with one that has no lazy"
        + " quantifier and no '(?'")
  }

  static func refusal(of text: String) -> Problem {
    var cursor = ScriptCursor(text)
    if cursor.take("regex"), let pattern = cursor.takePatternText() {
      return refusal(ofPattern: pattern)
    }
    return unknown(text)
  }

  private static func unknown(_ text: String) -> Problem {
    Problem(reason: "'\(text.prefix(before: " "))' is not translated; write 'extract' or 'expect'")
  }

  /// Takes a query of a response.
  static func take(_ cursor: inout ScriptCursor) -> ImportedSource? {
    var look = cursor
    defer { cursor = look }
    if look.take("jsonpath"), let query = look.takeString(), query.hasPrefix(bytes: "$") {
      return .body(query)
    }
    if look.take("header"), let name = look.takeString() { return .header(name) }
    if look.take("cookie"), let name = look.takeString() { return .cookie(name) }
    if look.take("regex"), let pattern = look.takePatternText() {
      return IRegexp.meantCapture(by: pattern).map { .match($0, of: .text) }
    }
    if look.take("status") { return .status }
    if look.take("body") { return .text }
    look = cursor
    return nil
  }
}
