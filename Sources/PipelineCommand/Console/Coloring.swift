internal import PipelineSourceText

/// Decides about colours and movement on a stream.
///
/// Respects `NO_COLOR` (no-color.org) and `CLICOLOR_FORCE` (bixense.com/clicolors). The option
/// `--color` outranks both.
enum Coloring {
  static func isColored(
    _ stream: TextStream, choice: ColorChoice, environment: [String: String]
  ) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if isSet("NO_COLOR", in: environment) { return false }
    if isSet("CLICOLOR_FORCE", in: environment), environment["CLICOLOR_FORCE"] != "0" {
      return true
    }
    return isLive(stream, environment: environment)
  }

  /// Whether the stream is a terminal on which the cursor can be moved.
  static func isLive(_ stream: TextStream, environment: [String: String]) -> Bool {
    guard stream.terminal != nil else { return false }
    return environment["TERM"].map { !$0.isEmpty && $0 != "dumb" } ?? false
  }

  private static func isSet(_ variable: String, in environment: [String: String]) -> Bool {
    environment[variable].map { !$0.isEmpty } ?? false
  }
}

extension Console {
  /// Whether there are colours on `stream`.
  ///
  /// - Parameter color: The value of `--color`.
  func isColored(_ stream: TextStream, color: ColorChoice) -> Bool {
    Coloring.isColored(stream, choice: color, environment: environment)
  }

  /// A renderer for text on `stream`: its colours, and lines that fit its terminal.
  ///
  /// - Parameter color: The value of `--color`.
  func renderer(for stream: TextStream, color: ColorChoice) -> DiagnosticRenderer {
    // The line's number and a bar precede the source.
    let width = stream.terminal.map { min($0.width - 9, 160) } ?? 100
    let style: DiagnosticRenderer.Style = isColored(stream, color: color) ? .colored : .plain
    return DiagnosticRenderer(style: style, width: width)
  }
}
