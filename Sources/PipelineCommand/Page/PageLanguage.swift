internal import PipelineByteText
internal import PipelineDrawings
internal import PipelineEditing
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelinePlanning
internal import PipelineRPC
internal import PipelineSourceText
internal import SQLiteJournals

/// The language server of the page. A call has the text that it is about, so that nothing depends on
/// what was called before.
struct PageLanguage: Sendable {
  private var server: LanguageServer
  /// The text that the server knows.
  private var open: (place: String, text: String)?

  /// The methods of the protocol that the page may call.
  static let methods: Set<String> = [
    "textDocument/completion", "completionItem/resolve", "textDocument/hover",
    "textDocument/definition", "textDocument/references", "textDocument/documentHighlight",
    "textDocument/documentSymbol", "textDocument/codeAction", "textDocument/prepareRename",
    "textDocument/rename", "textDocument/formatting", "textDocument/diagnostic",
  ]

  private static let abilities: JSONValue = [
    "general": ["positionEncodings": ["utf-16"]],
    "textDocument": [
      "hover": ["contentFormat": ["plaintext"]], "diagnostic": [:],
      "documentSymbol": ["hierarchicalDocumentSymbolSupport": true],
      "codeAction": ["codeActionLiteralSupport": [:]], "rename": ["prepareSupport": true],
    ],
  ]

  init(_ folder: FolderListing, version: String) {
    let (clock, store) = (folder.clock, folder.store)
    server = LanguageServer(
      version: version, files: folder.files,
      lastRuns: LastRuns(
        now: { clock.wallTime }, readValues: { store?.lastValues(ofStep: $0, run: $1) },
        read: { store?.summaries ?? [] }))
    let root: JSONValue = ["uri": .string(FileURI.uri(of: folder.root))]
    _ = server.receive(
      .request(
        RPCIdentifier(0), method: "initialize",
        JSONValue.object([
          .init("capabilities", Self.abilities), .init("workspaceFolders", [root]),
        ]).node))
  }

  /// Files on the disk may have changed.
  mutating func forgetFiles() {
    _ = server.receive(.notification(method: "textDocument/didSave", nil))
    server.lastRuns.forget()
  }

  /// The answer of the server about a text.
  ///
  /// - Parameter more: The parameters other than the text.
  mutating func answer(
    _ method: String, _ text: String, at place: String, _ more: JSONNode?
  ) throws(RPCError) -> JSONValue {
    know(text, at: place)
    var members = more?.members.map { JSONValue.Member($0.name, JSONValue($0.value)) } ?? []
    if method != "completionItem/resolve" {
      members.append(.init("textDocument", ["uri": .string(FileURI.uri(of: place))]))
    }
    let effects = server.receive(
      .request(RPCIdentifier(1), method: method, JSONValue.object(members).node))
    for case .send(let bytes) in effects {
      guard case .response(_, let result) = try RPCMessage(parsing: bytes) else { continue }
      return JSONValue(try result.get())
    }
    return .null
  }

  /// The drawing of a text's steps, without a style; `nil` if the text has errors.
  mutating func drawing(of text: String, at place: String) -> [UInt8]? {
    know(text, at: place)
    guard let plan = server.folder.analysis(of: place)?.plan else { return nil }
    let graph = WorkflowGraph(plan)
    let title = plan.workflow.name
    return Array(
      GraphSVG(
        picture: GraphPicture(graph, .down), title: title, isInteractive: true, isStyled: false
      ).text.utf8)
  }

  private mutating func know(_ text: String, at place: String) {
    let uri = JSONValue.string(FileURI.uri(of: place))
    if let open, open.place.equals(bytes: place) {
      guard !open.text.equals(bytes: text) else { return }
      _ = server.receive(
        .notification(
          method: "textDocument/didChange",
          JSONValue.object([
            .init("textDocument", ["uri": uri, "version": 1]),
            .init("contentChanges", [["text": .string(text)]]),
          ]).node))
    } else {
      if let open {
        let uri = JSONValue.string(FileURI.uri(of: open.place))
        _ = server.receive(
          .notification(
            method: "textDocument/didClose",
            JSONValue.object([.init("textDocument", ["uri": uri])]).node))
      }
      _ = server.receive(
        .notification(
          method: "textDocument/didOpen",
          JSONValue.object([
            .init("textDocument", ["uri": uri, "version": 0, "text": .string(text)])
          ]).node))
    }
    open = (place, text)
  }
}
