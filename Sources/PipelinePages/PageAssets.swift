/// The files of the page, as they are in this target's folder `Page`.
package enum PageAssets {
  package static let html = PackageResources.page_html
  package static let style = PackageResources.page_css
  /// The ES modules: `page` is the first, and imports the others.
  package static let modules: [(name: String, text: [UInt8])] = [
    ("page", PackageResources.page_js), ("answers", PackageResources.answers_js),
    ("complete", PackageResources.complete_js), ("dom", PackageResources.dom_js),
    ("drafts", PackageResources.drafts_js), ("drawn", PackageResources.drawn_js),
    ("editor", PackageResources.editor_js), ("files", PackageResources.files_js),
    ("findings", PackageResources.findings_js), ("finds", PackageResources.finds_js),
    ("form", PackageResources.form_js), ("history", PackageResources.history_js),
    ("items", PackageResources.items_js), ("json", PackageResources.json_js),
    ("live", PackageResources.live_js), ("newtest", PackageResources.newtest_js),
    ("outcome", PackageResources.outcome_js), ("rpc", PackageResources.rpc_js),
    ("run", PackageResources.run_js), ("saving", PackageResources.saving_js),
    ("shell", PackageResources.shell_js), ("sources", PackageResources.sources_js),
    ("steps", PackageResources.steps_js), ("taking", PackageResources.taking_js),
    ("tests", PackageResources.tests_js), ("text", PackageResources.text_js),
    ("virtual", PackageResources.virtual_js), ("words", PackageResources.words_js),
    ("write", PackageResources.write_js),
  ]
}
