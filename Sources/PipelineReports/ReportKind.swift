/// A form in which a run is reported.
package enum ReportKind: String, Sendable, CaseIterable {
  case html, junit, tap, markdown, github, har, otlp

  /// What reports say that is not of the run.
  package struct Surroundings: Sendable {
    /// The version of the program.
    package var version: String
    /// How annotations name files; `nil` if it is as they are.
    package var paths: AnnotationPaths?

    package init(version: String = "", paths: AnnotationPaths? = nil) {
      self.version = version
      self.paths = paths
    }
  }

  /// The report of a run.
  package func text(of trace: RunTrace, in surroundings: Surroundings = Surroundings()) -> String {
    switch self {
    case .html: HTMLReport.text(of: trace)
    case .junit: JUnitReport.text(of: [Suite(trace)])
    case .tap: TAPReport.text(of: [Suite(trace)])
    case .markdown: MarkdownReport.text(of: trace)
    case .github: GitHubReport.text(of: [Suite(trace)], paths: surroundings.paths)
    case .har: HARReport.text(of: trace)
    case .otlp: OTLPReport.text(of: trace, version: surroundings.version)
    }
  }
}
