/// Writes diagnostics for people: place, message, and the source line with carets under it.
///
/// Carets are under the right characters even after tabs, wide or combining characters. Performs no
/// I/O.
public struct DiagnosticRenderer: Sendable {
  /// Whether the text has colours.
  public enum Style: Sendable {
    /// Without colours.
    case plain
    /// With ANSI colours.
    case colored
  }

  /// The style of everything that is rendered.
  public let style: Style
  /// The maximum width of a source line in cells. Longer ones are cut around the carets.
  public let width: Int

  /// A renderer for a place that is `width` cells wide, at least 20.
  ///
  /// - Parameters:
  ///   - style: Whether the text has colours.
  ///   - width: The number of cells in a line, at least 20.
  public init(style: Style = .plain, width: Int = 100) {
    self.style = style
    self.width = max(width, 20)
  }

  /// `diagnostic` as lines, each ending with a newline.
  ///
  /// - Parameters:
  ///   - diagnostic: A finding about `file`.
  ///   - file: The text that the finding is about.
  public func render(_ diagnostic: Diagnostic, in file: SourceFile) -> String {
    let severity = diagnostic.severity
    var text = heading(severity, diagnostic.message, at: diagnostic.range, in: file)
    text += " " + paint("[\(diagnostic.code)]", .dim) + "\n"
    text += excerpt(of: diagnostic.range, in: file, ink: Ink(severity))
    for related in diagnostic.related {
      let place = related.file ?? file
      text += heading(.note, related.message, at: related.range, in: place) + "\n"
      text += excerpt(of: related.range, in: place, ink: .note)
    }
    return text
  }

  /// The source line at the start of `range`, with carets under its part of the range; empty for an
  /// empty file.
  ///
  /// - Parameters:
  ///   - range: The bytes to mark.
  ///   - file: The text that has them.
  public func excerpt(of range: Range<Int>, in file: SourceFile) -> String {
    excerpt(of: range, in: file, ink: .error)
  }

  private func excerpt(of range: Range<Int>, in file: SourceFile, ink: Ink) -> String {
    guard !file.bytes.isEmpty else { return "" }
    let number = String(file.position(at: range.lowerBound).line)
    let gutter = max(5, number.utf8.count)
    let shown = Excerpt(of: range, in: file, width: width)
    let line = shown.text.isEmpty ? "" : " " + shown.text
    return pad(number, gutter) + paint(" |", .dim) + line + "\n"
      + pad("", gutter) + paint(" |", .dim) + String(repeating: " ", count: shown.caret + 1)
      + paint(String(repeating: "^", count: shown.caretCount), ink) + "\n"
  }

  private func heading(
    _ severity: Diagnostic.Severity, _ message: String, at range: Range<Int>, in file: SourceFile
  ) -> String {
    let position = file.position(at: range.lowerBound)
    let place = "\(Cells.printable(file.name)):\(position.line):\(position.column):"
    return paint(place, .place) + " " + paint(severity.rawValue + ":", Ink(severity)) + " "
      + Cells.printable(message)
  }

  private func pad(_ number: String, _ width: Int) -> String {
    paint(String(repeating: " ", count: width - number.utf8.count) + number, .dim)
  }

  private enum Ink: String {
    case error = "1;31"
    case warning = "1;33"
    case note = "1;36"
    case place = "1"
    case dim = "2"

    init(_ severity: Diagnostic.Severity) {
      switch severity {
      case .error: self = .error
      case .warning: self = .warning
      case .note: self = .note
      }
    }
  }

  private func paint(_ text: String, _ ink: Ink) -> String {
    switch style {
    case .plain: text
    case .colored: text.allSatisfy { $0 == " " } ? text : "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m"
    }
  }
}
