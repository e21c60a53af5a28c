internal import PipelineDrawings

extension HTMLReport {
  /// The style of the report: what it shares with the page of a folder, and its own.
  static let style =
    DrawingStyle.shared + DrawingStyle.drawing
    + String(decoding: PackageResources.report_css, as: UTF8.self)
}
