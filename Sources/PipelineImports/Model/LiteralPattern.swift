/// Texts as patterns (RFC 9485).
enum LiteralPattern {
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if ".^$*+?()[]{}|\\-".unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
