extension Duration {
  /// As messages name a limit: `10 s`, `1.5 s` and `20 ms`.
  package var shown: String {
    let (seconds, attoseconds) = components
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
    let tenths = milliseconds % 1_000 / 100
    return tenths == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds / 1_000).\(tenths) s"
  }
}
