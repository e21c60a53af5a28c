internal import PipelineSourceText

/// A line for a terminal: texts, each in an ink.
struct Line: Sendable, Hashable {
  enum Ink: String, Sendable {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case good = "32"
    case bad = "31"
    case busy = "36"
    /// A value that a query found.
    case found = "1;33"
  }

  private struct Span: Sendable, Hashable {
    var text: String
    var ink: Ink
  }

  private var spans: [Span] = []

  init() {}

  init(_ text: String, _ ink: Ink = .plain) {
    append(text, ink)
  }

  /// Adds `text`, with its control characters made visible.
  mutating func append(_ text: String, _ ink: Ink = .plain) {
    if !text.isEmpty { spans.append(Span(text: Cells.printable(text), ink: ink)) }
  }

  /// The cells that the line takes.
  var width: Int { spans.reduce(0) { $0 + Cells.width(of: $1.text) } }

  /// The line as bytes for a terminal that is `limit` cells wide: what is too long ends with `…`.
  func text(colored: Bool, limit: Int = .max) -> String {
    let isCut = width > limit
    var rest = isCut ? max(limit - 1, 0) : .max
    var result = ""
    for span in spans {
      let (shown, width) = isCut ? Cells.prefix(span.text, rest) : (span.text[...], 0)
      rest -= width
      if colored, span.ink != .plain, !shown.isEmpty {
        result += "\u{1B}[\(span.ink.rawValue)m\(shown)\u{1B}[0m"
      } else {
        result += shown
      }
      if shown.endIndex < span.text.endIndex { break }
    }
    return isCut && limit > 0 ? result + "…" : result
  }
}
