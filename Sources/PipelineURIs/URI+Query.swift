internal import PipelineByteText

extension URI {
  /// A parameter of a query.
  package struct Parameter: Sendable, Hashable {
    package let name: String
    /// The value, decoded; `nil` if the bytes that it encodes are not UTF-8.
    package let text: String?
  }

  /// The parameters of the query in their order, decoded like servers do
  /// (application/x-www-form-urlencoded). `+` is a space, and a malformed escape stays. A name that
  /// is not UTF-8 stays encoded.
  package var parameters: [Parameter] {
    guard let query else { return [] }
    return query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let equals = pair.firstIndex(of: UInt8(ascii: "="))
      let name = pair[..<(equals ?? pair.endIndex)]
      let value = equals.map { pair[pair.index(after: $0)...] }
      return Parameter(
        name: URI.formDecoded(name) ?? String(Substring(name)),
        text: value.map(URI.formDecoded) ?? "")
    }
  }

  /// The first parameter called `name`.
  package func parameter(_ name: String) -> Parameter? {
    parameters.first { $0.name.equals(bytes: name) }
  }

  /// `url` with `parameters` percent-encoded and added to its query, before a fragment.
  ///
  /// The text of `url` itself is not re-encoded.
  package static func adding(
    _ parameters: some Sequence<(name: String, value: String)>, to url: String
  ) -> String {
    adding(encoded: parameters.map { (percentEncode($0.name), percentEncode($0.value)) }, to: url)
  }

  /// The same for `parameters` that are percent-encoded already.
  package static func adding(
    encoded parameters: some Sequence<(name: String, value: String)>, to url: String
  ) -> String {
    let hash = url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
    var bytes = Array(url.utf8[..<hash])
    var separator = UInt8(ascii: bytes.contains(UInt8(ascii: "?")) ? "&" : "?")
    // `?` or `&` at the end is a separator already.
    if let last = bytes.last, last == UInt8(ascii: "?") || last == UInt8(ascii: "&") {
      if separator == UInt8(ascii: "&") { separator = 0 }
    }
    for (name, value) in parameters {
      if separator != 0 { bytes.append(separator) }
      bytes.append(contentsOf: name.utf8)
      bytes.append(UInt8(ascii: "="))
      bytes.append(contentsOf: value.utf8)
      separator = UInt8(ascii: "&")
    }
    bytes.append(contentsOf: url.utf8[hash...])
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func formDecoded(_ text: Substring.UTF8View) -> String? {
    let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(validating: decodedBytes(spaced, isStrict: false) ?? spaced, as: UTF8.self)
  }
}
