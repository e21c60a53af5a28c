/// The files of the page, as they are in this target's folder `Page`.
package enum PageAssets {
  package static let html = PackageResources.page_html
  package static let style = PackageResources.page_css
  /// The ES modules: `page` is the first, and imports the others.
  package static let modules: [(name: String, text: [UInt8])] = [
    ("page", PackageResources.page_js), ("files", PackageResources.files_js),
    ("dom", PackageResources.dom_js), ("rpc", PackageResources.rpc_js),
    ("text", PackageResources.text_js), ("editor", PackageResources.editor_js),
    ("write", PackageResources.write_js), ("live", PackageResources.live_js),
    ("run", PackageResources.run_js), ("json", PackageResources.json_js),
    ("virtual", PackageResources.virtual_js), ("answers", PackageResources.answers_js),
    ("drafts", PackageResources.drafts_js), ("complete", PackageResources.complete_js),
    ("finds", PackageResources.finds_js),
    ("history", PackageResources.history_js), ("tests", PackageResources.tests_js),
  ]
}
