/// A form in which a run is reported.
package enum ReportKind: String, Sendable, CaseIterable {
  case junit, tap, markdown, github, otlp

  /// The report of a run.
  package func text(of trace: RunTrace) -> String {
    switch self {
    case .junit: JUnitReport.text(of: [Suite(trace)])
    case .tap: TAPReport.text(of: [Suite(trace)])
    case .markdown: MarkdownReport.text(of: trace)
    case .github: GitHubReport.text(of: [Suite(trace)])
    case .otlp: OTLPReport.text(of: trace)
    }
  }
}
