/// The style that the page of a folder, the report of a run, the graph page and drawings share.
package enum DrawingStyle {
  /// Colours, states and causes, light and dark, as CSS.
  package static let shared = String(decoding: PackageResources.shared_css, as: UTF8.self)
  /// What ``GraphSVG`` draws, in those colours.
  package static let drawing = String(decoding: PackageResources.drawing_css, as: UTF8.self)
}
