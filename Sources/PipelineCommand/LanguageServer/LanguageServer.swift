internal import PipelineByteText
internal import PipelineEditing
internal import PipelineJSONText
internal import PipelineLint
internal import PipelineRPC

/// The server of the Language Server Protocol 3.17: messages in, messages out.
///
/// It opens no socket and writes no file. Runs are ordered from its owner.
///
/// States: `waiting` → `initialize` → `serving` → `shutdown` → `stopped` → `exit`.
struct LanguageServer {
  enum State: Sendable, Equatable {
    case waiting, serving, stopped
    /// The process ends with this status.
    case ended(ExitStatus)
  }

  /// What its owner has to do.
  enum Effect: Sendable {
    case send([UInt8])
    case start(RunOrder)
    /// Stop the run of an order.
    case stop(RPCIdentifier)
  }

  let version: String
  let files: FileSystem
  var state = State.waiting
  var abilities = ClientAbilities()
  var folder: EditingFolder
  /// The folders that the editor shows.
  var roots: [String] = []
  /// The editor's own spelling of the URIs of open files, by path.
  var uris: [ExactText: String] = [:]
  /// The process of the editor.
  private(set) var client: Int32?
  /// The findings that the editor shows, by path.
  var shown: [ExactText: JSONValue] = [:]
  /// The findings of files that are not open, by path.
  var kept: [ExactText: KeptFindings] = [:]
  let lastRuns: LastRuns
  /// Runs that wait for their user's word, by the name of the question.
  var unconfirmed: [RPCIdentifier: RunOrder] = [:]
  /// Runs for whose progress the editor was asked to make room.
  var awaitingProgress: [RPCIdentifier: RunOrder] = [:]
  private var questions = 0
  /// How many results the editor was given names of.
  var results = 0
  var effects: [Effect] = []

  /// - Parameter lastRuns: The runs that are kept of the files.
  init(version: String, files: FileSystem, lastRuns: LastRuns = .none) {
    self.version = version
    self.files = files
    self.lastRuns = lastRuns
    folder = EditingFolder(EditedFiles(files: files), .utf16)
  }

  /// Handles a message.
  mutating func receive(_ message: RPCMessage) -> [Effect] {
    switch message {
    case .request(let identifier, let method, let parameters):
      request(identifier, method, parameters)
    case .notification(let method, let parameters): notification(method, parameters)
    case .response(let identifier, let result):
      if let identifier { answered(identifier, result) }
    }
    return takeEffects()
  }

  /// Does the work that waits until the editor is idle: shows the findings.
  mutating func settle() -> [Effect] {
    if state == .serving, !abilities.pullsDiagnostics { pushFindings() }
    return takeEffects()
  }

  /// Answers a request that its client cancelled.
  mutating func cancel(_ identifier: RPCIdentifier) -> [Effect] {
    respond(identifier, .failure(.cancelled))
    return takeEffects()
  }

  private mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  mutating func send(_ method: String, _ parameters: JSONValue) {
    effects.append(.send(RPCMessage.notification(method, parameters)))
  }

  /// Asks the editor something; `answered` gets the name of the question.
  mutating func ask(_ method: String, _ parameters: JSONValue) -> RPCIdentifier {
    questions += 1
    let identifier = RPCIdentifier.string("pipeline-\(questions)")
    effects.append(.send(RPCMessage.request(identifier, method, parameters)))
    return identifier
  }

  mutating func respond(_ identifier: RPCIdentifier, _ result: Result<JSONValue, RPCError>) {
    effects.append(.send(RPCMessage.response(identifier, result)))
  }

  private mutating func request(
    _ identifier: RPCIdentifier, _ method: String, _ parameters: JSONNode?
  ) {
    switch (state, method) {
    case (.waiting, "initialize"):
      state = .serving
      respond(identifier, .success(initialize(parameters)))
    case (.waiting, _): respond(identifier, .failure(.notInitialized))
    case (.stopped, _), (.ended, _):
      respond(identifier, .failure(.invalidRequest("the server has shut down")))
    case (.serving, "initialize"):
      respond(identifier, .failure(.invalidRequest("the server was initialized before")))
    case (.serving, "shutdown"):
      state = .stopped
      respond(identifier, .success(.null))
    case (.serving, "workspace/executeCommand"): execute(identifier, parameters)
    case (.serving, _):
      do throws(RPCError) {
        respond(identifier, .success(try answer(method, parameters)))
      } catch {
        respond(identifier, .failure(error))
      }
    }
  }

  private mutating func notification(_ method: String, _ parameters: JSONNode?) {
    if method == "exit" {
      state = .ended(state == .stopped ? .success : .failure)
      return
    }
    guard state == .serving else { return }
    switch method {
    case "textDocument/didOpen": opened(parameters?["textDocument"])
    case "textDocument/didChange": changed(parameters)
    case "textDocument/didClose": closed(parameters?["textDocument"])
    case "textDocument/didSave", "workspace/didChangeWatchedFiles":
      folder.forgetFiles()
      if abilities.pullsDiagnostics, abilities.refreshesDiagnostics {
        _ = ask("workspace/diagnostic/refresh", .null)
      }
    case "workspace/didChangeWorkspaceFolders":
      let event = parameters?["event"]
      let removed = Self.folders(event?["removed"])
      roots.removeAll { removed.contains($0) }
      roots += Self.folders(event?["added"])
    case "initialized": watchFiles()
    case "window/workDoneProgress/cancel":
      if let token = parameters?["token"].flatMap({ RPCIdentifier($0) }) {
        effects.append(.stop(token))
      }
    case "$/cancelRequest":
      // A request that waits in the queue was answered there. What is left may be a run.
      if let name = parameters?["id"].flatMap({ RPCIdentifier($0) }) { effects.append(.stop(name)) }
    default: break
    }
  }

  private mutating func watchFiles() {
    guard abilities.watchesFiles else { return }
    let watchers: JSONValue = [["globPattern": "**/*.{json,har,yaml,yml}"]]
    _ = ask(
      "client/registerCapability",
      [
        "registrations": [
          [
            "id": "files", "method": "workspace/didChangeWatchedFiles",
            "registerOptions": ["watchers": watchers],
          ]
        ]
      ])
  }

  // MARK: Start

  private mutating func initialize(_ parameters: JSONNode?) -> JSONValue {
    abilities = ClientAbilities(parameters?["capabilities"])
    folder = EditingFolder(EditedFiles(files: files), abilities.encoding)
    client = parameters?["processId"].flatMap { Int32($0.text) }
    roots = Self.folders(parameters?["workspaceFolders"])
    if roots.isEmpty, let root = parameters?["rootUri"]?.string.flatMap(FileURI.path) {
      roots = [root]
    }
    return [
      "capabilities": capabilities,
      "serverInfo": ["name": "pipeline", "version": .string(version)],
    ]
  }

  private static func folders(_ node: JSONNode?) -> [String] {
    guard let node, node.kind == .array else { return [] }
    return node.elements.compactMap { $0["uri"]?.string.flatMap(FileURI.path) }
  }

  private var capabilities: JSONValue {
    var members: [JSONValue.Member] = [
      .init("positionEncoding", .string(abilities.encoding.rawValue)),
      .init(
        "textDocumentSync", ["openClose": true, "change": 2, "save": ["includeText": false]]),
      .init(
        "completionProvider",
        ["triggerCharacters": ["\"", "{", ".", "$"], "resolveProvider": true]),
      .init("codeLensProvider", ["resolveProvider": false]),
      .init("documentLinkProvider", ["resolveProvider": false]),
      .init("executeCommandProvider", ["commands": .array(RunOrder.Action.names)]),
      .init(
        "workspace", ["workspaceFolders": ["supported": true, "changeNotifications": true]]),
    ]
    for name in [
      "hover", "definition", "references", "documentHighlight", "documentSymbol",
      "workspaceSymbol", "inlayHint", "foldingRange", "selectionRange", "documentFormatting",
      "documentRangeFormatting",
    ] {
      members.append(.init(name + "Provider", true))
    }
    members.append(
      .init("renameProvider", abilities.preparesRenames ? ["prepareProvider": true] : true))
    members.append(
      .init(
        "codeActionProvider",
        abilities.takesActions
          ? ["codeActionKinds": ["quickfix", "refactor.extract", "source.fixAll.pipeline"]] : true))
    if abilities.pullsDiagnostics {
      members.append(
        .init(
          "diagnosticProvider",
          [
            "identifier": "pipeline", "interFileDependencies": true, "workspaceDiagnostics": true,
          ]))
    }
    return .object(members)
  }

  // MARK: Texts

  private mutating func opened(_ document: JSONNode?) {
    guard let uri = document?["uri"]?.string, let text = document?["text"]?.string else { return }
    let name = FileURI.path(of: uri) ?? uri
    uris[ExactText(name)] = uri
    folder.open(name, text, version: Self.version(document))
  }

  private mutating func changed(_ parameters: JSONNode?) {
    guard let document = parameters?["textDocument"], let uri = document["uri"]?.string,
      let changes = parameters?["contentChanges"], changes.kind == .array
    else { return }
    folder.change(
      FileURI.path(of: uri) ?? uri,
      changes.elements.compactMap { change in
        change["text"]?.string.map {
          TextChange(range: change["range"].flatMap { ProtocolValue.range($0) }, text: $0)
        }
      }, version: Self.version(document))
  }

  private mutating func closed(_ document: JSONNode?) {
    guard let uri = document?["uri"]?.string else { return }
    let name = FileURI.path(of: uri) ?? uri
    folder.close(name)
    uris[ExactText(name)] = nil
    if shown.removeValue(forKey: ExactText(name)) != nil {
      send("textDocument/publishDiagnostics", ["uri": .string(uri), "diagnostics": []])
    }
  }

  private static func version(_ document: JSONNode?) -> Int {
    document?["version"].flatMap { Int($0.text) } ?? 0
  }
}
