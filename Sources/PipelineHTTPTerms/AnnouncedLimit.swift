internal import PipelineByteText

/// A limit that a response announces: how many more requests its server takes, and until when.
///
/// These spellings are read, without regard to case:
///
/// | fields | who sends them |
/// |---|---|
/// | `RateLimit: "name";r=50;t=30`, `RateLimit-Policy: "name";q=100;w=60` | the current draft of the IETF |
/// | `RateLimit: limit=100, remaining=50, reset=30` | the draft before |
/// | `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`, with and without `X-` | older drafts, GitHub and most others |
/// | `X-Rate-Limit-…`, `X-RateLimit-Remaining-Minute`, `anthropic-ratelimit-requests-remaining` | the same with other words |
/// | `X-Shopify-Shop-Api-Call-Limit: 32/40` | a bucket that empties in 20 seconds |
///
/// A reset may be in seconds, in seconds or milliseconds since 1970, a date of HTTP or RFC 3339, or a
/// text such as `1m30s`.
package struct AnnouncedLimit: Sendable, Hashable {
  /// When the requests are all there again.
  package enum Reset: Sendable, Hashable {
    /// The seconds after the response.
    case after(Double)
    /// Seconds since 1970, on the server's clock.
    case at(Double)
  }

  /// Which of the server's limits it is.
  package let name: String
  /// How many more requests the server takes, at least 0.
  package var remaining: Double
  /// How many it takes in a window; `nil` if it does not say.
  package var limit: Double?
  package var reset: Reset?
  /// Whether the reset is in whole seconds, so that it may be up to a second later.
  package var isWhole = false
  /// How long a window is, in seconds.
  package var window: Double?
  /// How many requests come back each second, if they do not come back all at once.
  package var refill = 0.0

  package init(_ name: String, remaining: Double) {
    self.name = name
    self.remaining = remaining
  }

  /// The limits that fields announce. What cannot be read is left out, and so is what counts
  /// something other than requests.
  ///
  /// - Parameters:
  ///   - fields: Those whose name has `limit` in it.
  ///   - now: Seconds since 1970.
  package static func all(in fields: [(name: String, value: String)], now: Double) -> [Self] {
    guard !fields.isEmpty else { return [] }
    var reader = AnnouncedFields(now: now)
    for (name, value) in fields { reader.note(name.lowercasedASCII, value.trimmed) }
    return reader.limits
  }
}

/// Collects the fields of a response that belong together.
private struct AnnouncedFields {
  private struct Parts {
    var remaining: Double?
    var limit: Double?
    var window: Double?
    var reset: (AnnouncedLimit.Reset, isWhole: Bool)?
  }

  /// A server may name new limits without end.
  private static let most = 16
  /// Shopify gives back a bucket's size in this many seconds.
  private static let bucketSeconds = 20.0
  private static let countedOtherwise: Set<String> = [
    "tokens", "input", "output", "bytes", "bandwidth", "cost", "points", "credits", "size",
  ]
  private static let windows: [String: Double] = [
    "second": 1, "secondly": 1, "minute": 60, "minutely": 60, "hour": 3600, "hourly": 3600,
    "day": 86_400, "daily": 86_400,
  ]

  let now: Double
  private var parts: [(name: String, parts: Parts)] = []
  private var policies: [StructuredMember] = []
  private var structured: [StructuredMember] = []
  private var others: [AnnouncedLimit] = []

  init(now: Double) { self.now = now }

  /// Takes a field, its name in lower case.
  mutating func note(_ name: String, _ value: String) {
    let words = name.replacing(bytes: "rate-limit", with: "ratelimit").split(ascii: "-")
      .map(String.init)
    if name.hasSuffix(bytes: "-api-call-limit") { return noteBucket(name, value) }
    guard let index = words.firstIndex(where: { $0.equals(bytes: "ratelimit") }) else { return }
    var rest = words[(index + 1)...].map { $0 }
    if rest.isEmpty { return noteStructured(value) }
    if rest == ["policy"] {
      policies += StructuredMember.list(value)
      return
    }
    guard let kind = rest.firstIndex(where: { Self.kinds.contains(bytes: $0) }) else { return }
    let word = rest.remove(at: kind)
    // `X-RateLimit-Reset-After`: seconds.
    let isAfter = rest.contains { $0.equals(bytes: "after") || $0.equals(bytes: "in") }
    rest.removeAll { $0.equals(bytes: "after") || $0.equals(bytes: "in") }
    guard !rest.contains(where: Self.countedOtherwise.contains) else { return }
    let group = (words[..<index].filter { !$0.equals(bytes: "x") } + rest).joined(separator: "-")
    let window = rest.lazy.compactMap { Self.windows[$0] }.first
    let now = now
    change(group) { parts in
      if let window { parts.window = window }
      switch word {
      case "remaining": parts.remaining = parts.remaining ?? Self.count(value)
      case "limit":
        // `100, 100;w=60` says the window, too.
        let members = StructuredMember.list(value)
        parts.limit = parts.limit ?? members.first.flatMap { Self.count($0.name) }
        parts.window = parts.window ?? members.lazy.compactMap { $0.number("w") }.first
      default: parts.reset = parts.reset ?? Self.reset(value, isAfter: isAfter, now: now)
      }
    }
  }

  private static let kinds = ["limit", "remaining", "reset"]

  private mutating func change(_ name: String, _ change: (inout Parts) -> Void) {
    if let index = parts.firstIndex(where: { $0.name.equals(bytes: name) }) {
      change(&parts[index].parts)
    } else if parts.count < Self.most {
      var new = Parts()
      change(&new)
      parts.append((name, new))
    }
  }

  private mutating func noteBucket(_ name: String, _ value: String) {
    let numbers = value.split(ascii: "/", omittingEmptySubsequences: false).map(String.init)
    guard numbers.count == 2, let used = Self.count(numbers[0].trimmed),
      let size = Self.count(numbers[1].trimmed), size > 0
    else { return }
    var limit = AnnouncedLimit(name, remaining: max(0, size - used))
    limit.limit = size
    limit.refill = size / Self.bucketSeconds
    others.append(limit)
  }

  private mutating func noteStructured(_ value: String) {
    let members = StructuredMember.list(value)
    guard members.contains(where: { $0.value != nil }) else {
      structured += members
      return
    }
    // `limit=100, remaining=50, reset=30`
    func number(_ name: String) -> Double? {
      members.first { $0.name.equals(bytes: name) }?.value.flatMap(Self.count)
    }
    let reset = number("reset")
    change("") { parts in
      parts.remaining = parts.remaining ?? number("remaining")
      parts.limit = parts.limit ?? number("limit")
      parts.reset = parts.reset ?? reset.map { (.after($0), true) }
    }
  }

  var limits: [AnnouncedLimit] {
    var all = others
    for member in structured.prefix(Self.most) {
      guard let remaining = member.number("r") else { continue }
      let policy = policies.first { $0.name.equals(bytes: member.name) }
      let unit = policy?.parameters["qu"] ?? member.parameters["qu"] ?? "requests"
      guard unit.equals(bytes: "requests") else { continue }
      var limit = AnnouncedLimit(
        "\(member.name);\(member.parameters["pk"] ?? "")", remaining: remaining)
      limit.limit = policy?.number("q")
      limit.window = policy?.number("w")
      limit.reset = (member.number("t") ?? limit.window).map { .after($0) }
      limit.isWhole = true
      all.append(limit)
    }
    for (name, parts) in parts {
      guard let remaining = parts.remaining else { continue }
      var limit = AnnouncedLimit(name, remaining: remaining)
      limit.limit = parts.limit
      // `RateLimit-Policy: 100;w=60` beside the three fields.
      let policy = policies.first { parts.limit != nil && Self.count($0.name) == parts.limit }
      limit.window = parts.window ?? policy?.number("w")
      (limit.reset, limit.isWhole) =
        parts.reset.map { ($0.0, $0.isWhole) } ?? (limit.window.map { .after($0) }, true)
      all.append(limit)
    }
    return all.filter { ($0.limit ?? 1) > 0 }
  }

  /// A number of requests or seconds: one that is negative counts as 0, and one beyond all sense as
  /// a very large one.
  fileprivate static func count(_ text: String) -> Double? {
    guard let number = plain(text) else { return nil }
    return min(max(0, number), 1e15)
  }

  /// A decimal number without an exponent: neither `nan` nor `inf` nor `0x10`.
  private static func plain(_ text: String) -> Double? {
    let digits = text.hasPrefix(bytes: "-") ? text.dropFirst(bytes: 1) : text[...]
    guard let first = digits.utf8.first, ASCIISet.digits.contains(first),
      digits.utf8.count < 32,
      digits.utf8.allSatisfy({ ASCIISet.digits.contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Double(text)
  }

  private static func reset(
    _ text: String, isAfter: Bool, now: Double
  ) -> (AnnouncedLimit.Reset, isWhole: Bool)? {
    if let number = plain(text) {
      guard number >= 0 else { return nil }
      let isWhole = !text.contains(bytes: ".")
      if isAfter || number < 1e9 { return (.after(number), isWhole) }
      // Milliseconds since 1970 have 13 digits until the year 2286.
      return number >= 1e11 ? (.at(number / 1000), false) : (.at(number), isWhole)
    }
    if let date = HTTPDate(text, now: now) { return (.at(date.secondsSince1970), true) }
    if let date = RFC3339.DateTime(text) {
      return (.at(date.secondsSince1970), !text.contains(bytes: "."))
    }
    return seconds(ofUnits: text).map { (.after($0), false) }
  }

  /// `1m30s`, `20ms`, as Go writes times.
  private static func seconds(ofUnits text: String) -> Double? {
    var sum = 0.0
    var rest = text[...]
    while !rest.isEmpty {
      let digits = rest.utf8.prefix { ASCIISet.digits.contains($0) || $0 == UInt8(ascii: ".") }
      guard let number = plain(String(Substring(digits))) else { return nil }
      rest = rest[digits.endIndex...]
      let letters = rest.utf8.prefix {
        !ASCIISet.digits.contains($0) && $0 != UInt8(ascii: ".")
      }
      switch String(Substring(letters)) {
      case "ms": sum += number / 1000
      case "s": sum += number
      case "m": sum += number * 60
      case "h": sum += number * 3600
      case "d": sum += number * 86_400
      default: return nil
      }
      rest = rest[letters.endIndex...]
    }
    return text.isEmpty ? nil : min(sum, 1e15)
  }
}

extension StructuredMember {
  /// A parameter as a number of requests or seconds.
  fileprivate func number(_ name: String) -> Double? {
    parameters[name].flatMap(AnnouncedFields.count)
  }
}
