internal import ByteText
internal import Workflows

/// A moment told from the run's start: `now`, `now-30d`, `now+90m`.
enum RelativeMoment {
  /// How far from now; `nil` where the text is no such moment.
  static func parse(_ text: String) -> Duration? {
    guard text.hasPrefix(bytes: "now") else { return nil }
    let rest = text.dropFirst(bytes: 3)
    guard let sign = rest.first else { return .zero }
    guard sign == "-" || sign == "+" else { return nil }
    return Quantities.duration(String(rest.dropFirst(bytes: 1))).map {
      sign == "-" ? .zero - $0 : $0
    }
  }
}
