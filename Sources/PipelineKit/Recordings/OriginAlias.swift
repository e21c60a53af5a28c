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
    reduce(text) { $0.replacing(bytes: $1.origin, with: $1.alias) }
  }

  /// Puts the origins in place of their names.
  func undone(in text: String) -> String {
    reduce(text) { $0.replacing(bytes: $1.alias, with: $1.origin) }
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
