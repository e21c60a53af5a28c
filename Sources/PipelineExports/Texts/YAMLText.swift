internal import PipelineJSONText

/// Scalars of YAML 1.2.
enum YAMLText {
  /// A text in double quotes. Invisible characters are written as escapes.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where CommentText.isInvisible(scalar):
        let digits = String(scalar.value, radix: 16)
        let width = scalar.value < 0x1_0000 ? 4 : 8
        result +=
          (width == 4 ? "\\u" : "\\U") + String(repeating: "0", count: width - digits.utf8.count)
          + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
