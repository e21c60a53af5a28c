internal import PipelineByteText

/// A trace, and the span in it that others follow: W3C Trace Context.
package struct TraceContext: Sendable, Hashable {
  /// 128 bits, not all of them zero.
  package let traceID: [UInt8]
  /// 64 bits, not all of them zero.
  package let spanID: UInt64
  package let isSampled: Bool

  package init(traceID: [UInt8], spanID: UInt64, isSampled: Bool) {
    self.traceID = traceID
    self.spanID = spanID
    self.isSampled = isSampled
  }

  /// The value of a `traceparent` field; `nil` if it is not valid.
  package init?(traceparent text: String) {
    let parts = text.split(ascii: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, let version = Self.bytes(parts[0], 1), version[0] != 0xFF,
      version[0] > 0 || parts.count == 4, let traceID = Self.bytes(parts[1], 16),
      let span = Self.bytes(parts[2], 8), let flags = Self.bytes(parts[3], 1)
    else { return nil }
    let spanID = span.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    guard spanID != 0, traceID.contains(where: { $0 != 0 }) else { return nil }
    self.init(traceID: traceID, spanID: spanID, isSampled: flags[0] & 1 == 1)
  }

  /// Lower-case hexadecimal digits. Capitals are not valid.
  private static func bytes(_ text: Substring, _ count: Int) -> [UInt8]? {
    let digits = text.utf8.compactMap { digit -> UInt8? in
      switch digit {
      case 0x30...0x39: digit - 0x30
      case 0x61...0x66: digit - 0x61 + 10
      default: nil
      }
    }
    guard digits.count == 2 * count, text.utf8.count == digits.count else { return nil }
    return (0..<count).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
  }

  /// The value of a `traceparent` field.
  package var traceparent: String {
    "00-\(Self.hexadecimal(traceID))-\(Self.hexadecimal(spanID))-\(isSampled ? "01" : "00")"
  }

  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    Hexadecimal.encode(bytes)
  }

  package static func hexadecimal(_ id: UInt64) -> String {
    hexadecimal((0..<8).map { UInt8(truncatingIfNeeded: id >> (56 - 8 * $0)) })
  }

  package static func randomSpanID() -> UInt64 { UInt64.random(in: 1...UInt64.max) }
}
