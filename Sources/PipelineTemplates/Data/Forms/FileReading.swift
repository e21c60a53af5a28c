/// How the content of a file becomes a value: `as` beside `$file`.
package enum FileReading: String, Sendable, CaseIterable {
  /// The JSON that it holds.
  case json
  /// Its text, in UTF-8.
  case text
  /// Its bytes in base64.
  case base64
}
