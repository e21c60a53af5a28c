internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONText
internal import PipelineURIs

extension Position {
  /// Appends the text that `value` has in this position.
  ///
  /// Judges the value alone: what a path segment comes out as is judged by `URLTemplate`, which
  /// knows what is beside it.
  func append(
    _ value: JSONNode?, of reference: Template.Reference, to bytes: inout [UInt8]
  ) throws(ExpansionError) {
    let text = try scalarText(value, of: reference)
    switch self {
    case .text: bytes += text
    case .header: try appendHeader(text, of: reference, to: &bytes)
    case .cookie: try appendCookie(text, of: reference, to: &bytes)
    case .start: try appendStart(text, of: reference, to: &bytes)
    case .authority: try appendAuthority(text, of: reference, to: &bytes)
    case .path: try appendPath(text, of: reference, to: &bytes)
    case .query: URI.appendPercentEncoded(text, to: &bytes)
    }
  }

  private func appendHeader(
    _ text: ArraySlice<UInt8>, of reference: Template.Reference, to bytes: inout [UInt8]
  ) throws(ExpansionError) {
    guard !text.contains(where: FieldValue.isControl) else {
      throw ExpansionError(
        .controlCharacter, reference,
        "'\(reference.text)' has a control character, which a \(noun) must not hold")
    }
    bytes += text
  }

  private func appendCookie(
    _ text: ArraySlice<UInt8>, of reference: Template.Reference, to bytes: inout [UInt8]
  ) throws(ExpansionError) {
    guard !text.contains(UInt8(ascii: ";")) else {
      throw ExpansionError(
        .separator, reference, "'\(reference.text)' has a ';', which would begin another cookie")
    }
    try appendHeader(text, of: reference, to: &bytes)
  }

  private func appendStart(
    _ text: ArraySlice<UInt8>, of reference: Template.Reference, to bytes: inout [UInt8]
  ) throws(ExpansionError) {
    let name = reference.text
    guard text.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw ExpansionError(
        .notURL, reference,
        text.isEmpty
          ? "'\(name)' is an empty text, but an endpoint needs a URL"
          : "'\(name)' has characters that a URL must percent-encode")
    }
    guard let uri = URI.parse(String(decoding: text, as: UTF8.self)), uri.isAbsolute,
      URLScheme(uri.scheme) != nil
    else {
      throw ExpansionError(
        .notURL, reference,
        "'\(name)' is not an absolute http or https URL; a relative one is made absolute by"
          + " '\"type\": \"url\"' in its extractor, and a path begins with '/': '/{{\(name)}}'")
    }
    bytes += text
  }

  private func appendAuthority(
    _ text: ArraySlice<UInt8>, of reference: Template.Reference, to bytes: inout [UInt8]
  ) throws(ExpansionError) {
    guard !text.isEmpty else {
      throw ExpansionError(
        .empty, reference, "'\(reference.text)' is an empty text, but a URL needs a host")
    }
    guard text.allSatisfy({ ASCIISet.authorityValue.contains($0) }) else {
      throw ExpansionError(
        .authority, reference,
        "'\(reference.text)' is part of a URL's host, which allows only letters, digits, '.' and '-'"
      )
    }
    bytes += text
  }

  private func appendPath(
    _ text: ArraySlice<UInt8>, of reference: Template.Reference, to bytes: inout [UInt8]
  ) throws(ExpansionError) {
    guard !text.isEmpty else {
      throw ExpansionError(
        .empty, reference, "'\(reference.text)' is an empty text, which would change the URL's path"
      )
    }
    if reference.isReserved {
      // A value is data: its "%" is one, and no part of an escape.
      URI.appendPercentEncoded(text, allowing: .path, to: &bytes)
    } else {
      URI.appendPercentEncoded(text, to: &bytes)
    }
  }

  // MARK: Values as text

  /// A string's text, a number's digits as written, or `true` and `false`.
  private func scalarText(
    _ value: JSONNode?, of reference: Template.Reference
  ) throws(ExpansionError) -> ArraySlice<UInt8> {
    let name = reference.text
    guard let value else {
      throw ExpansionError(
        .absent, reference,
        "'\(name)' is absent, but a \(noun) needs a value; give its source a 'default'")
    }
    switch value.kind {
    case .string:
      return value.decodedUTF8
    case .number, .boolean:
      return value.utf8
    case .null:
      throw ExpansionError(
        .null, reference,
        "'\(name)' is null, but a \(noun) needs a value; skip the step with 'when', or name a value"
          + " that is never null")
    case .array:
      throw ExpansionError(
        .list, reference,
        "'\(name)' is a list, but a \(noun) takes one value; run the step for each with 'forEach',"
          + " or name one: '{{\(name)[0]}}'")
    case .object:
      let member = value.members.first(where: { _ in true })?.name
      throw ExpansionError(
        .object, reference,
        "'\(name)' is an object, but a \(noun) takes one value; name one of its members"
          + (member.map { ", such as '\(name).\($0)'" } ?? ""))
    }
  }
}

extension JSONNode {
  /// The bytes of a string with its escapes decoded, without a copy if there are none.
  var decodedUTF8: ArraySlice<UInt8> {
    let raw = utf8.dropFirst().dropLast()
    guard raw.contains(UInt8(ascii: "\\")) else { return raw }
    return Array((string ?? "").utf8)[...]
  }
}

/// The schemes that a request can be sent to.
enum URLScheme: String {
  case http, https
  /// Served by the command itself. The engine puts the server's address in its place.
  case sandbox

  init?(_ scheme: String?) {
    guard let scheme else { return nil }
    self.init(rawValue: scheme.lowercased())
  }
}
