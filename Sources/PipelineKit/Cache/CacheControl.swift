internal import PipelineByteText

/// The directives of `Cache-Control` that a private cache obeys (RFC 9111 §5.2).
struct CacheControl: Sendable, Hashable {
  var hasNoStore = false
  /// Also `no-cache="…"`, which may be treated like it (§5.2.2.4).
  var hasNoCache = false
  /// In seconds. It is 0 if it is not a number, so that the response is stale (§4.2.1).
  var maxAge: Double?

  init(of headers: [HeaderField]) {
    guard let text = headers.combined("cache-control") else { return }
    for directive in Self.directives(of: text) {
      let parts = directive.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first.map({ String($0).trimmed.lowercasedASCII }) else { continue }
      switch name {
      case "no-store": hasNoStore = true
      case "no-cache": hasNoCache = true
      case "max-age" where maxAge == nil:
        maxAge = Self.seconds(parts.count == 2 ? String(parts[1]).trimmed : "")
      default: break
      }
    }
  }

  /// The texts between commas, except commas in quotes.
  private static func directives(of text: String) -> [String] {
    var directives: [[UInt8]] = [[]]
    var (isQuoted, isEscaped) = (false, false)
    for byte in text.utf8 {
      if byte == UInt8(ascii: ","), !isQuoted {
        directives.append([])
        continue
      }
      directives[directives.count - 1].append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = isQuoted
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      }
    }
    return directives.map { String(decoding: $0, as: UTF8.self) }
  }

  /// `delta-seconds` (§1.2.2), also in quotes, which recipients are asked to read (§5.2).
  private static func seconds(_ text: String) -> Double {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "\"") }
    guard !digits.isEmpty, digits.allSatisfy({ (48...57).contains($0) }) else { return 0 }
    return min(Double(String(decoding: digits, as: UTF8.self)) ?? 0, 2_147_483_648)
  }
}

extension [HeaderField] {
  /// The values of all fields `name`, as one list (RFC 9110 §5.3); `nil` if there is none.
  func combined(_ name: String) -> String? {
    let values = filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  func first(_ name: String) -> String? {
    first { $0.name.equalsIgnoringASCIICase(name) }?.value
  }
}
