import PipelineByteText

/// Reads the quantities of the language: `10s`, `64MB`, `100/1m`, `2xx`.
package enum Quantities {
  /// A duration such as `250ms`, `10s`, `5m`, `2h` or `30d`; `nil` for anything else.
  package static func duration(_ text: String) -> Duration? {
    guard let (count, unit) = split(text) else { return nil }
    let seconds: Int64
    switch unit {
    case "ms": return count <= limit ? .milliseconds(count) : nil
    case "s": seconds = 1
    case "m": seconds = 60
    case "h": seconds = 3600
    case "d": seconds = 86400
    default: return nil
    }
    let (product, overflow) = count.multipliedReportingOverflow(by: seconds)
    return overflow || product > limit ? nil : .seconds(product)
  }

  /// A duration as it is written, in the largest unit that divides it: `10m`.
  package static func text(of duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    guard milliseconds == 0, seconds > 0 else {
      return "\(seconds * 1000 + milliseconds)ms"
    }
    for (unit, length) in [("d", Int64(86400)), ("h", 3600), ("m", 60)] {
      if seconds % length == 0 { return "\(seconds / length)\(unit)" }
    }
    return "\(seconds)s"
  }

  /// A number of bytes such as `512KB` or `64MB`, in powers of 1024; `nil` for anything else.
  static func size(_ text: String) -> Int? {
    guard let (count, unit) = split(text), let power = ["B", "KB", "MB", "GB"].firstIndex(of: unit)
    else { return nil }
    let (product, overflow) = count.multipliedReportingOverflow(by: 1 << Int64(10 * power))
    return overflow || product > limit ? nil : Int(product)
  }

  /// The size that `64 megabytes`, `64 mb` and `64MiB` likely mean.
  static func likelySize(_ text: String) -> String? {
    let lowered = String(text.lowercased().filter { !$0.isWhitespace })
    let digits = lowered.prefix { $0.isASCII && $0.isNumber }
    let unit = lowered.dropFirst(digits.count)
    guard !digits.isEmpty, digits.count < 10 else { return nil }
    let units: [(String, [Substring])] = [
      ("B", ["", "b", "byte", "bytes"]),
      ("KB", ["k", "kb", "kib", "kilobyte", "kilobytes"]),
      ("MB", ["m", "mb", "mib", "megabyte", "megabytes"]),
      ("GB", ["g", "gb", "gib", "gigabyte", "gigabytes"]),
    ]
    return units.first { $0.1.contains(unit) }.map { "\(digits)\($0.0)" }
  }

  /// The rate that `100/s`, `100 per minute` and `100rps` likely mean.
  static func likelyRate(_ text: String) -> String? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let rest = text.dropFirst(bytes: digits.utf8.count).drop { $0 == " " || $0 == "/" }
    let word = rest.hasPrefix(bytes: "per ") ? rest.dropFirst(bytes: 4) : rest
    let units = [
      "s": "s", "sec": "s", "second": "s", "rps": "s", "m": "m", "min": "m", "minute": "m",
      "h": "h", "hour": "h", "d": "d", "day": "d",
    ]
    guard !digits.isEmpty, let unit = units[word.lowercased()] else { return nil }
    return "\(digits)/1\(unit)"
  }

  /// A rate such as `100/1m`; `nil` for anything else.
  static func rate(_ text: String) -> RequestRate? {
    let parts = text.split(ascii: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[0]), count > 0,
      let per = duration(String(parts[1])), per > .zero
    else { return nil }
    return RequestRate(count: count, per: per)
  }

  /// A class of statuses such as `2xx`; `nil` for anything else.
  static func statusClass(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 3, bytes[1...].allSatisfy({ $0 == UInt8(ascii: "x") }),
      (UInt8(ascii: "1")...UInt8(ascii: "5")).contains(bytes[0])
    else { return nil }
    return Int(bytes[0] - UInt8(ascii: "0"))
  }

  /// The likely meaning of a text that is not a duration.
  static func likelyDuration(_ text: String) -> String? {
    let lowered = String(text.lowercased().filter { !$0.isWhitespace })
    let digits = lowered.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, let count = Int64(digits) else { return ofISO8601(lowered) }
    let unit = lowered.dropFirst(digits.count)
    if unit.isEmpty { return "\(count)s" }
    let units: [(String, [String])] = [
      ("ms", ["ms", "msec", "millis", "millisecond", "milliseconds"]),
      ("s", ["s", "sec", "secs", "second", "seconds"]),
      ("m", ["m", "min", "mins", "minute", "minutes"]),
      ("h", ["h", "hr", "hrs", "hour", "hours"]), ("d", ["d", "day", "days"]),
    ]
    return units.first { $0.1.contains(String(unit)) }.map { "\(count)\($0.0)" }
  }

  /// The duration of `pt10s`, `pt1h30m` or `p1d`, without years and months.
  private static func ofISO8601(_ text: String) -> String? {
    guard text.hasPrefix(bytes: "p") else { return nil }
    var total: Int64 = 0
    var digits = ""
    var isTime = false
    for byte in text.utf8.dropFirst() {
      if (0x30...0x39).contains(byte) {
        digits.unicodeScalars.append(Unicode.Scalar(byte))
        continue
      }
      if byte == UInt8(ascii: "t"), digits.isEmpty {
        isTime = true
        continue
      }
      let lengths: [UInt8: Int64] =
        isTime
        ? [UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600]
        : [UInt8(ascii: "d"): 86400, UInt8(ascii: "w"): 604_800]
      guard digits.utf8.count < 9, let count = Int64(digits), let length = lengths[byte] else {
        return nil
      }
      total += count * length
      digits = ""
    }
    return digits.isEmpty && total > 0 ? self.text(of: .seconds(total)) : nil
  }

  /// Far above any sensible quantity, far below what arithmetic on it could exceed.
  private static let limit: Int64 = 1 << 50

  private static func split(_ text: String) -> (count: Int64, unit: Substring)? {
    let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty, digits.count <= 18, let count = Int64(Substring(digits)) else {
      return nil
    }
    return (count, text[digits.endIndex...])
  }
}
