internal import PipelineKit

extension Duration {
  /// For people: `0.4 ms`, `12 ms`, `3.2 s`, `1:05`, `2:00:09`.
  var text: String {
    let seconds = max(self.seconds, 0)
    if seconds < 0.001 { return decimal(seconds * 1000, digits: 1) + " ms" }
    if seconds < 0.9995 { return decimal(seconds * 1000, digits: 0) + " ms" }
    if seconds < 9.95 { return decimal(seconds, digits: 1) + " s" }
    if seconds < 59.5 { return decimal(seconds, digits: 0) + " s" }
    return clock
  }

  /// For people while it grows: as `text`, but in tenths below a second, so that it does not
  /// flicker.
  var liveText: String {
    self < .seconds(1) ? decimal(max(seconds, 0), digits: 1) + " s" : text
  }

  /// As a clock shows it: `0:04`, `12:30`, `1:00:09`.
  var clock: String {
    let seconds = Int(max(self.seconds, 0).rounded())
    let (minutes, rest) = (seconds / 60 % 60, seconds % 60)
    if seconds < 3600 { return "\(minutes):\(twoDigits(rest))" }
    return "\(seconds / 3600):\(twoDigits(minutes)):\(twoDigits(rest))"
  }

  private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// `value` with `digits` digits after the point, in no locale.
func decimal(_ value: Double, digits: Int) -> String {
  guard value.isFinite, value.magnitude < 1e15 else { return "–" }
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let whole = Int((value.magnitude * scale).rounded())
  let sign = value < 0 && whole > 0 ? "-" : ""
  guard digits > 0 else { return sign + String(whole) }
  let fraction = String(whole % Int(scale))
  return sign + String(whole / Int(scale)) + "."
    + String(repeating: "0", count: digits - fraction.count) + fraction
}

extension Int {
  /// With commas between thousands: `20,000`.
  var grouped: String {
    let digits = String(magnitude)
    var result = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result += "," }
      result.append(digit)
    }
    return result
  }

  /// With its noun: `1 request`, `2 requests`.
  func counting(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }

  /// As a number of bytes: `340 B`, `1.2 KB`, `64 MB` (1 KB is 1024 B).
  var byteText: String {
    if self < 1024 { return "\(self) B" }
    var value = Double(self) / 1024
    var units = ["KB", "MB", "GB", "TB"][...]
    while value >= 999.5, units.count > 1 {
      value /= 1024
      units.removeFirst()
    }
    return decimal(value, digits: value < 9.95 ? 1 : 0) + " " + (units.first ?? "")
  }
}
