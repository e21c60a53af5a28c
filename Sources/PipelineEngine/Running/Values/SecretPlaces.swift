internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineTemplates

/// Where a step puts secrets that are too short to be searched for: a PIN of four digits.
///
/// Their bytes are in many texts by chance: `404` in a status, `1` in an address. So the engine
/// goes by what it knows. It expands the templates of the step again, with a mask in place of each
/// secret, and shows that form wherever the real one is in a message.
struct SecretPlaces: Sendable {
  /// The step's URL, and the same with masks.
  private var url: (real: URLParts, shown: URLParts)?
  /// The names of query parameters whose values hold secrets.
  private var parameters: Set<[UInt8]> = []
  /// Other texts with literal parts, such as paths of files, and the same with masks.
  private var texts: [(real: [UInt8], shown: String)] = []

  /// - Parameter ranges: Where the step reads a secret.
  init(_ step: Step, at ranges: Set<Range<Int>>, in scope: Scope) {
    guard case .request(let request) = step.action else { return }
    let expansion = MaskedExpansion(ranges: ranges, scope: scope)
    if let real = expansion.url(of: request, masks: nil) {
      let shown = MaskedExpansion.masks.lazy.compactMap { expansion.url(of: request, masks: $0) }
      let masked = shown.first ?? Redactor.mask
      if !real.equals(bytes: masked) { url = (URLParts(real), URLParts(masked)) }
    }
    for parameter in request.query where parameter.value.uses.contains(where: expansion.isSecret) {
      // An object is written as a parameter for each member, unless its style says otherwise.
      for name in [parameter.name] + expansion.memberNames(of: parameter.value) {
        parameters.insert(Array(name.utf8))
      }
    }
    for template in request.namedTexts {
      guard let (real, shown) = expansion.text(template), !real.equals(bytes: shown),
        // In a text without literal parts, only the secret itself could be searched for.
        !shown.equals(bytes: Redactor.mask)
      else { continue }
      texts.append((Array(real.utf8), shown))
    }
  }

  /// A message of the engine with masks where the step has put a secret.
  func masked(_ message: String) -> String {
    var text = maskingURLs(in: message)
    for (real, shown) in texts {
      text = text.replacing(real, with: shown) { !$0.isLetterOrDigit && !$1.isLetterOrDigit }
    }
    if let authority = url?.real.authority, let shown = url?.shown.authority,
      !authority.isEmpty, !authority.equals(bytes: shown)
    {
      // The port may stand elsewhere, or nowhere.
      for (real, shown) in [(authority, shown), (authority.host, shown.host)] {
        text = text.replacing(Array(real.utf8), with: shown) {
          !$0.isLetterOrDigit && !$1.isLetterOrDigit
        }
      }
    }
    return text
  }

  /// A URL of one of the step's requests, or of a response, with masks where the step has put a
  /// secret.
  func masked(url text: String) -> String {
    guard url != nil || !parameters.isEmpty else { return text }
    var parts = URLParts(text)
    if let url {
      if parts.authority.equals(bytes: url.real.authority) {
        parts.authority = url.shown.authority
      }
      parts.path = URLParts.masked(parts.path, url.real.path, url.shown.path)
      for index in parts.query.indices {
        let pair = parts.query[index]
        let known = url.real.query.indices.first { url.real.query[$0].equals(bytes: pair) }
        if let known, known < url.shown.query.count { parts.query[index] = url.shown.query[known] }
      }
    }
    for index in parts.query.indices {
      let name = String(parts.query[index].prefix(before: "="))
      // `filter[k]` is a member of `filter`.
      let key = (URLParts.decoded(name)).prefix(before: "[")
      guard parameters.contains(Array(key.utf8)) || parameters.contains(Array(name.utf8)) else {
        continue
      }
      parts.query[index] = name + "=" + Redactor.mask
    }
    return parts.text
  }

  private func maskingURLs(in message: String) -> String {
    guard url != nil || !parameters.isEmpty, message.contains(bytes: "://") else { return message }
    var result = ""
    var rest = message[...]
    while let mark = rest.firstRange(bytes: "://") {
      let start =
        rest[..<mark.lowerBound].utf8.lastIndex { !ASCIISet.letters.contains($0) }
        .map { rest.utf8.index(after: $0) } ?? rest.startIndex
      let end =
        rest[mark.upperBound...].utf8.firstIndex { $0 <= 0x20 || $0.isQuote } ?? rest.endIndex
      result += rest[..<start] + masked(url: String(rest[start..<end]))
      rest = rest[end...]
    }
    return result + rest
  }
}

/// The templates of a step, expanded with masks in place of its secrets.
private struct MaskedExpansion {
  let ranges: Set<Range<Int>>
  let scope: Scope

  /// Texts that no value holds, each for the places that take it: a host is ASCII.
  static let masks = [Redactor.mask, "zq0mask0qz"]

  func isSecret(_ use: DataTemplate.Use) -> Bool { ranges.contains(use.range) }

  /// The names of the members that a value may have: of the object that is written, and of those
  /// that secrets are read from.
  func memberNames(of data: DataTemplate) -> [String] {
    let context = scope.queryContext()
    let read = data.uses.filter(isSecret).flatMap { $0.query.nodes(in: context) }
    return ([data.node] + read).filter { $0.kind == .object }.flatMap { $0.members.map(\.name) }
  }

  /// - Parameter mask: What takes the place of a secret; `nil` if nothing does.
  /// - Returns: `nil` if the template does not take the values.
  func url(of request: Request, masks mask: String?) -> String? {
    func value<Value>(_ written: Written<Value>) -> (Template.Reference) -> JSONNode? {
      { reference in
        if let mask, ranges.contains(written.range(of: reference.range)) {
          return JSONValue.string(mask).node
        }
        return scope.value(of: reference)
      }
    }
    let base = request.baseURL.flatMap { base in try? base.value.expand(value(base)) }
    let endpoint = request.endpoint
    guard let url = try? endpoint.value.url.expand(base: base, value(endpoint)) else { return nil }
    return mask.map { url.replacing(bytes: $0, with: Redactor.mask).withPlainMasks } ?? url
  }

  func text(_ template: Written<Template>) -> (real: String, shown: String)? {
    guard let real = try? template.value.expand(at: .text, { scope.value(of: $0) }) else {
      return nil
    }
    let shown = try? template.value.expand(at: .text) { reference in
      ranges.contains(template.range(of: reference.range))
        ? JSONValue.string(Redactor.mask).node : scope.value(of: reference)
    }
    return shown.map { (real, $0) }
  }
}

extension Request {
  /// Texts that messages name: files, proxies, addresses.
  fileprivate var namedTexts: [Written<Template>] {
    var texts = [proxy, save, tls?.ca, tls?.cert, tls?.key].compactMap(\.self)
    switch body?.content {
    case .file(let file): texts.append(file.path)
    case .multipart(let parts):
      for part in parts {
        if case .file(let path) = part.content { texts.append(path) }
      }
    case .json, .form, .text, .madeText, .graphQL, nil: break
    }
    return texts
  }
}

/// A URL cut at its delimiters. Joined again it is the same text.
private struct URLParts {
  private var scheme = ""
  var authority = ""
  var path: [String]
  var query: [String] = []
  private var fragment: String?

  init(_ text: String) {
    var rest = text[...]
    if let mark = rest.firstIndex(ascii: "#") {
      fragment = String(rest[mark...])
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(ascii: "?") {
      query = rest[mark...].dropFirst(bytes: 1).split(ascii: "&", omittingEmptySubsequences: false)
        .map(String.init)
      rest = rest[..<mark]
    }
    if let mark = rest.firstRange(bytes: "://") {
      scheme = String(rest[..<mark.upperBound])
      rest = rest[mark.upperBound...]
      let end = rest.firstIndex(ascii: "/") ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    } else if let inSandbox = rest.pathInSandbox {
      // Its origin is known only to the command. The path is the same.
      rest = inSandbox
    }
    path = rest.split(ascii: "/", omittingEmptySubsequences: false).map(String.init)
  }

  var text: String {
    scheme + authority + path.joined(separator: "/")
      + (query.isEmpty ? "" : "?" + query.joined(separator: "&")) + (fragment ?? "")
  }

  /// The segments of a path with those masked that hold secrets in the path of the step.
  static func masked(_ path: [String], _ real: [String], _ shown: [String]) -> [String] {
    path.enumerated().map { index, segment in
      guard index < real.count, segment.equals(bytes: real[index]) else { return segment }
      if real.count == shown.count { return shown[index] }
      // A value fills several segments.
      let last = real.count - index
      let isLiteral =
        index < shown.count && real[...index].elementsEqual(shown[...index])
        || last <= shown.count && real.suffix(last).elementsEqual(shown.suffix(last))
      return isLiteral ? segment : Redactor.mask
    }
  }

  static func decoded(_ name: String) -> String {
    name.replacing(bytes: "%5B", with: "[").replacing(bytes: "%5D", with: "]")
  }
}

extension String {
  /// The text with each mask that was percent-encoded as it is.
  fileprivate var withPlainMasks: String {
    replacing(bytes: "%E2%80%A2%E2%80%A2%E2%80%A2", with: Redactor.mask)
  }

  /// The host of an authority: without the user before it, and the port.
  fileprivate var host: String {
    let host = lastIndex(ascii: "@").map { String(self[$0...].dropFirst(bytes: 1)) } ?? self
    return host.hasPrefix(bytes: "[") ? host : String(host.prefix(before: ":"))
  }

  /// The text with another one in each place where `isPlace` holds of the bytes before and after.
  func replacing(
    _ text: [UInt8], with replacement: String, where isPlace: (UInt8, UInt8) -> Bool
  ) -> String {
    guard !text.isEmpty, contains(bytes: String(decoding: text, as: UTF8.self)) else { return self }
    let bytes = Array(utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let end = index + text.count
      if bytes[index] == text[0], end <= bytes.count, bytes[index..<end].elementsEqual(text),
        isPlace(index > 0 ? bytes[index - 1] : 0x20, end < bytes.count ? bytes[end] : 0x20)
      {
        result += replacement.utf8
        index = end
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension UInt8 {
  var isQuote: Bool { self == UInt8(ascii: "'") || self == UInt8(ascii: "\"") }

  /// Whether a word goes on with it.
  fileprivate var isLetterOrDigit: Bool {
    self >= 0x80 || ASCIISet.letters.contains(self) || ASCIISet.digits.contains(self)
  }
}
