extension String {
  /// At most `count` characters, with `…` in place of the rest. `Redactor` looks for the beginning
  /// of a secret before it.
  package func shortened(to count: Int) -> String {
    self.count > count ? prefix(count) + "…" : self
  }
}
