extension CurlWorkflow {
  /// `X-API-Key` and `API_KEY` as a name: `xApiKey`, `apiKey`.
  static func inputName(_ text: String) -> String {
    let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map { $0.lowercased() }
    let name = words.enumerated().map { number, word in
      number == 0 ? word : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
    if name.isEmpty { return "value" }
    return name.first?.isNumber == true ? "_" + name : name
  }

  /// `xApiKey` as a variable of the shell: `X_API_KEY`.
  static func variableName(_ name: String) -> String {
    var text = ""
    for character in name {
      if character.isUppercase { text += "_" }
      text += character.uppercased()
    }
    return text
  }
}
