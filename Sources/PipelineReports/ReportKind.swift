/// A form in which a run is reported.
package enum ReportKind: String, Sendable, CaseIterable {
  case html, junit, tap, markdown, github, har, otlp

  /// The report of a run.
  package func text(of trace: RunTrace) -> String {
    switch self {
    case .html: HTMLReport.text(of: trace)
    case .junit: JUnitReport.text(of: [Suite(trace)])
    case .tap: TAPReport.text(of: [Suite(trace)])
    case .markdown: MarkdownReport.text(of: trace)
    case .github: GitHubReport.text(of: [Suite(trace)])
    case .har: HARReport.text(of: trace)
    case .otlp: OTLPReport.text(of: trace)
    }
  }
}
