internal import PipelineByteText

/// An origin that differs from run to run, and its name in recordings.
public struct OriginAlias: Sendable {
  /// An origin as URLs begin: `http://127.0.0.1:49152`.
  public let origin: String
  /// Its name in recordings.
  public let alias: String

  /// An origin, and its name in recordings.
  public init(_ origin: String, alias: String) {
    self.origin = origin
    self.alias = alias
  }

  /// The name of the sandbox, which has another port in each run. `.test` names no host (RFC 6761
  /// §6.2).
  public static let sandbox = "http://sandbox.test"
}

extension [OriginAlias] {
  func applied(to text: String) -> String {
    reduce(text) { text, alias in
      text.replacing(name: alias.origin, with: alias.alias)
        .replacing(name: Self.authority(alias.origin), with: Self.authority(alias.alias))
    }
  }

  /// Puts the origins in place of their names.
  func undone(in text: String) -> String {
    reduce(text) { text, alias in
      text.replacing(name: alias.alias, with: alias.origin)
        .replacing(name: Self.authority(alias.alias), with: Self.authority(alias.origin))
    }
  }

  /// An origin without its scheme, as `Host` has it.
  private static func authority(_ origin: String) -> String {
    origin.firstRange(bytes: "://").map { String(origin[$0.upperBound...]) } ?? origin
  }

  func undone(in bytes: [UInt8]) -> [UInt8] {
    guard !isEmpty, let text = String(validating: bytes, as: UTF8.self) else { return bytes }
    return [UInt8](undone(in: text).utf8)
  }

  func applied(to bytes: [UInt8]) -> [UInt8] {
    guard !isEmpty, let text = String(validating: bytes, as: UTF8.self) else { return bytes }
    return [UInt8](applied(to: text).utf8)
  }
}

extension String {
  /// This text with another name in place of one that stands by itself: `127.0.0.1:80` is not a
  /// part of `127.0.0.1:8080`.
  fileprivate func replacing(name: String, with replacement: String) -> String {
    var result = ""
    var rest = self[...]
    // A scheme begins a name, whatever is before it: in JSON that may be the `n` of a line's end.
    let hasScheme = name.contains(bytes: "://")
    while let range = rest.firstRange(bytes: name) {
      let before = hasScheme ? nil : rest.utf8[..<range.lowerBound].last ?? result.utf8.last
      let isWhole = ![before, rest.utf8[range.upperBound...].first].contains {
        $0?.isHostByte == true
      }
      result += rest[..<range.lowerBound]
      result += isWhole ? replacement[...] : rest[range]
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}

extension UInt8 {
  /// Whether a name of a host goes on with it. A period may end a sentence.
  fileprivate var isHostByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
