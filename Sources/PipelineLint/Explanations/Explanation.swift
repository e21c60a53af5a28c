package import PipelineSourceText

/// A code of lint: the severity of its findings, and where readers find what it means.
package struct Explanation: Sendable {
  /// Stable, kebab-case.
  package let code: String
  /// What findings have, apart from those whose place decides it.
  package let severity: Diagnostic.Severity
  private let file: @Sendable () -> [UInt8]

  /// - Parameter file: The code's file in `Texts`. It is read only when the text is shown.
  init(
    _ code: String, _ severity: Diagnostic.Severity,
    _ file: @escaping @autoclosure @Sendable () -> [UInt8]
  ) {
    self.code = code
    self.severity = severity
    self.file = file
  }

  /// What the code means. Each call parses its file.
  package var text: ExplanationText { ExplanationText(file()) }
}
