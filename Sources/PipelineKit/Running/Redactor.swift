internal import ByteText
internal import JSONText
internal import Synchronization
internal import URIs

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Hides secrets in whatever a run says: each of its texts goes through here before anyone sees it.
public final class Redactor: Sendable {
  /// What stands in place of a secret.
  public static let mask = "•••"

  private struct State {
    var known: Set<String> = []
    var patterns = RedactionPatterns()
  }

  private let state = Mutex(State())
  private let hasSecrets = Atomic<Bool>(false)

  public init() {}

  /// Hides `secret` from now on: as it is, JSON-escaped, percent- and form-encoded, in base64 at all
  /// three offsets, and in base64 that is percent-encoded again. Texts of fewer than 6 characters are too common to look for.
  public func hide(_ secret: String) {
    guard secret.count >= 6 else { return }
    state.withLock { state in
      guard state.known.insert(secret).inserted else { return }
      for pattern in Self.forms(of: secret) { state.patterns.insert(pattern) }
    }
    hasSecrets.store(true, ordering: .releasing)
  }

  /// Whether there is anything to hide.
  var isActive: Bool { hasSecrets.load(ordering: .acquiring) }

  /// `text` with `•••` in place of each secret.
  ///
  /// - Complexity: O(length) as long as few secrets begin alike; O(1) where there are none.
  public func redact(_ text: String) -> String {
    guard hasSecrets.load(ordering: .acquiring) else { return text }
    let bytes = Array(text.utf8)
    let redacted = redact(bytes)
    return redacted == bytes ? text : String(decoding: redacted, as: UTF8.self)
  }

  /// UTF-8 text with `•••` in place of each secret.
  public func redact(_ bytes: [UInt8]) -> [UInt8] {
    guard hasSecrets.load(ordering: .acquiring) else { return bytes }
    let patterns = state.withLock { $0.patterns }
    var result: [UInt8] = []
    // What stands before it is part of the result.
    var copied = 0
    var index = 0
    while index < bytes.count {
      if bytes[index] == Self.ellipsis[0], bytes[index...].starts(with: Self.ellipsis) {
        result += bytes[copied..<index]
        copied = index
        maskCut(&result, patterns)
      }
      guard let pattern = patterns.first(at: index, of: bytes) else {
        index += 1
        continue
      }
      result += bytes[copied..<index]
      result += Self.mask.utf8
      index += pattern.count
      copied = index
    }
    return copied == 0 ? bytes : result + bytes[copied...]
  }

  private static let ellipsis = Array("…".utf8)

  /// Masks the beginning of a secret that a message was cut in.
  private func maskCut(_ text: inout [UInt8], _ patterns: RedactionPatterns) {
    guard let length = patterns.beginning(atEndOf: text) else { return }
    text.removeLast(length)
    text += Self.mask.utf8
  }

  /// `text` as it stands inside a JSON string.
  private static func escaped(_ text: String) -> String {
    var writer = JSONWriter(style: .compact)
    writer.string(text)
    return String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self)
  }

  private static func forms(of secret: String) -> Set<[UInt8]> {
    let escaped = Self.escaped(secret)
    var forms: Set<[UInt8]> = []
    // A message may quote a text that is JSON itself, so a secret may be escaped twice.
    // Hosts and header names are told in lower case.
    for text in Set([secret, secret.lowercased(), escaped, Self.escaped(escaped)]) {
      let raw = Array(text.utf8)
      forms.insert(raw)
      forms.formUnion(percentForms(of: text))
      for offset in 0..<3 {
        let encoded = Self.base64(raw, offset: offset)
        forms.insert(Array(encoded.utf8))
        forms.formUnion(percentForms(of: encoded))
        // RFC 4648 §5, as tokens and URLs have it.
        let inURLs = encoded.replacing(bytes: "+", with: "-").replacing(bytes: "/", with: "_")
        forms.insert(Array(inURLs.utf8))
      }
    }
    return forms
  }

  /// Percent-encoded with either case of digits, and as a form has it.
  private static func percentForms(of text: String) -> [[UInt8]] {
    let percent = URI.percentEncode(text)
    let form = percent.split(separator: "%20", omittingEmptySubsequences: false)
      .joined(separator: "+")
    return [percent, form].flatMap { [Array($0.utf8), Array(lowercasingEscapes($0).utf8)] }
  }

  /// `%2F` as `%2f`, which is the same to a server.
  private static func lowercasingEscapes(_ text: String) -> String {
    var left = 0
    return String(
      text.map { character in
        if character == "%" {
          left = 2
          return character
        }
        left -= 1
        return left >= 0 ? Character(character.lowercased()) : character
      })
  }

  /// The characters of a base64 text that depend on `raw` alone, where `offset` bytes stand before
  /// it (RFC 4648 §4).
  private static func base64(_ raw: [UInt8], offset: Int) -> String {
    let text = Data([UInt8](repeating: 0, count: offset) + raw).base64EncodedString()
    let first = (offset * 8 + 5) / 6
    let end = (offset + raw.count) * 8 / 6
    return String(text.prefix(end).dropFirst(first))
  }
}
