internal import PipelineByteText

/// Words of a POSIX shell.
enum ShellText {
  private static let plain = ASCIISet.letters.union(.digits).union(ASCIISet("_-./:,+@%="))

  /// One word, quoted if a shell would read anything into it.
  static func word(_ text: String) -> String {
    if !text.isEmpty, text.utf8.allSatisfy(plain.contains), !text.hasPrefix(bytes: "-") {
      return text
    }
    return "'" + text.replacing(bytes: "'", with: "'\\''") + "'"
  }
}
