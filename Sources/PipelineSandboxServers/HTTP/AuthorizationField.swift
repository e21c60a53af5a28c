internal import PipelineHTTPServers
internal import PipelineByteText

/// The Authorization field (RFC 9110 §11.6.2): a scheme with a token or parameters.
struct AuthorizationField {
  /// In lower case.
  let scheme: String
  /// The text after the scheme.
  let credentials: String

  init?(_ request: ServerRequest) {
    guard let value = request.header("Authorization") else { return nil }
    let halves = value.split(ascii: " ", maxSplits: 1)
    guard halves.count == 2 else { return nil }
    scheme = halves[0].lowercasedASCII
    credentials = String(halves[1]).trimmed
  }

  /// User and password of the Basic scheme (RFC 7617).
  var basic: (user: String, password: String)? {
    guard scheme == "basic", let bytes = Base64.decode(credentials) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let colon = text.firstIndex(ascii: ":") else { return nil }
    return (String(text[..<colon]), String(text[text.utf8.index(after: colon)...]))
  }

  var bearer: String? { scheme == "bearer" ? credentials : nil }

  /// `name=value, name="quoted, value"`, with names in lower case.
  var parameters: [String: String] {
    var parameters: [String: String] = [:]
    var rest = Substring(credentials)
    while let mark = rest.firstIndex(ascii: "=") {
      let name = String(rest[..<mark].drop { $0 == "," || $0 == " " }).trimmed.lowercased()
      rest = rest[rest.utf8.index(after: mark)...]
      parameters[name] = Self.takeValue(&rest)
    }
    return parameters
  }

  /// A token up to the next comma, or a quoted string (RFC 9110 §5.6.4).
  private static func takeValue(_ rest: inout Substring) -> String {
    guard rest.unicodeScalars.first == "\"" else {
      let value = rest.prefix(before: ",")
      rest = rest[value.endIndex...]
      return String(value).trimmed
    }
    var value = ""
    var escapes = false
    rest.unicodeScalars.removeFirst()
    while let scalar = rest.unicodeScalars.popFirst() {
      if !escapes && scalar == "\"" { break }
      if !escapes && scalar == "\\" {
        escapes = true
        continue
      }
      value.unicodeScalars.append(scalar)
      escapes = false
    }
    return value
  }
}
