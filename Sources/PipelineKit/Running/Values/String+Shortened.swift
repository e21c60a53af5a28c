extension String {
  /// At most `count` characters, with `…` where some are left out: `Redactor` looks for the beginning
  /// of a secret before it.
  func shortened(to count: Int) -> String {
    self.count > count ? prefix(count) + "…" : self
  }
}
