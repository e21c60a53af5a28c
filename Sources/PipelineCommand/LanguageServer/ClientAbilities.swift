internal import PipelineEditing
internal import PipelineJSONText

/// What an editor can do with answers, as its `initialize` says.
struct ClientAbilities: Sendable {
  var encoding = PositionEncoding.utf16
  var takesMarkdown = false
  /// The formats of what is said about a proposal; none: plain strings.
  var completionFormats: [String] = []
  /// It asks for diagnostics, so none are pushed.
  var pullsDiagnostics = false
  var takesVersionedEdits = false
  /// It makes the files that an edit names.
  var makesFiles = false
  var showsProgress = false
  var refreshesDiagnostics = false
  var refreshesLenses = false
  var nestsSymbols = false
  var takesActions = false
  var watchesFiles = false
  var preparesRenames = false

  init() {}

  init(_ abilities: JSONNode?) {
    let text = abilities?["textDocument"]
    let offered = abilities?["general"]?["positionEncodings"]?.elements.compactMap(\.string) ?? []
    if offered.contains(PositionEncoding.utf8.rawValue) { encoding = .utf8 }
    let formats = text?["hover"]?["contentFormat"]?.elements.compactMap(\.string) ?? []
    takesMarkdown = formats.contains("markdown")
    let itemFormats = text?["completion"]?["completionItem"]?["documentationFormat"]
    completionFormats = itemFormats?.elements.compactMap(\.string) ?? []
    pullsDiagnostics = text?["diagnostic"] != nil
    let workspace = abilities?["workspace"]
    takesVersionedEdits = workspace?["workspaceEdit"]?["documentChanges"]?.boolean ?? false
    refreshesDiagnostics = workspace?["diagnostics"]?["refreshSupport"]?.boolean ?? false
    refreshesLenses = workspace?["codeLens"]?["refreshSupport"]?.boolean ?? false
    let operations = workspace?["workspaceEdit"]?["resourceOperations"]?.elements
    makesFiles = operations?.contains { $0.string == "create" } ?? false
    watchesFiles =
      workspace?["didChangeWatchedFiles"]?["dynamicRegistration"]?.boolean ?? false
    showsProgress = abilities?["window"]?["workDoneProgress"]?.boolean ?? false
    nestsSymbols =
      text?["documentSymbol"]?["hierarchicalDocumentSymbolSupport"]?.boolean ?? false
    preparesRenames = text?["rename"]?["prepareSupport"]?.boolean ?? false
    takesActions = text?["codeAction"]?["codeActionLiteralSupport"] != nil
  }
}
