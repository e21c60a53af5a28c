/// The files of the page, as they are in this target's folder `Page`.
package enum PageAssets {
  package static let html = PackageResources.page_html
  package static let style = PackageResources.page_css
  package static let script = PackageResources.page_js
  package static let files = PackageResources.files_js
}
