extension LanguageObject {
  static let limits = LanguageObject(.limits, "limits", place: "in 'limits'") { keys in
    _ = Limits(&keys, over: nil)
  }

  /// `$lint`, which every object takes.
  static let lint = LanguageObject(.lint, "lint settings", place: "in '$lint'") { keys in
    _ = keys.ignored()
  }
}
