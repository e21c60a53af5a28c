internal import PipelineByteText

/// Text of a workflow in a comment of another language: one line, whatever the author wrote.
enum CommentText {
  /// The text without line breaks and other control characters, and not longer than a line.
  static func line(_ text: String, limit: Int = 90) -> String {
    var scalars = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      if count == limit {
        scalars.append("…")
        break
      }
      scalars.append(isInvisible(scalar) ? " " : scalar)
      count += 1
    }
    return String(scalars)
  }

  /// The text in lines of at most `width` characters, broken at spaces.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in Self.line(text, limit: .max).split(ascii: " ") {
      if !line.isEmpty, line.unicodeScalars.count + 1 + word.unicodeScalars.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Whether a person cannot see the character, or sees others in another order because of it.
  static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
    default: false
    }
  }
}
