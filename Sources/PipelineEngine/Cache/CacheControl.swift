internal import PipelineByteText

/// The directives of `Cache-Control` that a private cache obeys (RFC 9111 §5.2).
struct CacheControl: Sendable, Hashable {
  var hasNoStore = false
  /// Also `no-cache="…"`, which may be treated like it (§5.2.2.4).
  var hasNoCache = false
  /// In seconds. It is 0 if it is not a number, so that the response is stale (§4.2.1).
  var maxAge: Double?
  /// In a request: how long the response must still be fresh, in seconds (§5.2.1.3).
  var minFresh: Double?
  /// In a request: only a kept response is wanted (§5.2.1.7).
  var isOnlyIfCached = false

  init(of headers: [HeaderField]) {
    guard let text = headers.combined("cache-control") else { return }
    for directive in Self.members(of: text) {
      let parts = directive.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first.map({ String($0).trimmed.lowercasedASCII }) else { continue }
      switch name {
      case "no-store": hasNoStore = true
      case "no-cache": hasNoCache = true
      case "max-age" where maxAge == nil:
        maxAge = Self.seconds(parts.count == 2 ? String(parts[1]).trimmed : "") ?? 0
      case "min-fresh" where minFresh == nil:
        minFresh = parts.count == 2 ? Self.seconds(String(parts[1]).trimmed) : nil
      case "only-if-cached": isOnlyIfCached = true
      default: break
      }
    }
  }

  /// The directives of a request. Without `Cache-Control`, `Pragma: no-cache` counts (§5.4).
  init(ofRequest headers: [HeaderField]) {
    self.init(of: headers)
    guard headers.first("cache-control") == nil, let pragma = headers.combined("pragma") else {
      return
    }
    hasNoCache = Self.members(of: pragma).contains {
      $0.trimmed.equalsIgnoringASCIICase("no-cache")
    }
  }

  /// The texts between commas, except commas in quotes.
  static func members(of text: String) -> [String] {
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

  /// `delta-seconds` of a directive, also in quotes, which recipients are asked to read (§5.2).
  private static func seconds(_ text: String) -> Double? {
    deltaSeconds(text.utf8.filter { $0 != UInt8(ascii: "\"") })
  }

  /// `delta-seconds` (§1.2.2); `nil` if the text is something else.
  static func deltaSeconds(_ digits: some Collection<UInt8>) -> Double? {
    guard !digits.isEmpty, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return min(Double(String(decoding: digits, as: UTF8.self)) ?? 2_147_483_648, 2_147_483_648)
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
