internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRPC

/// Carries out the calls of the page. Each is a request of JSON-RPC 2.0.
///
/// A path that a call names is one that the listing has.
struct PageCalls: Sendable {
  /// Takes the result of a call that is answered later.
  typealias Reply = @Sendable (JSONValue) -> Void

  enum Answer {
    case now(JSONValue)
    /// By the call's `Reply`.
    case later
  }

  let folder: FolderListing
  /// Whether no call writes, runs or deletes anything.
  let isReadOnly: Bool
  let runs: PageRuns
  let shelf: PageShelf
  let program: Program
  let store: StoreOptions
  /// Has something done that takes long.
  let begin: @Sendable (@escaping @Sendable () async -> Void) -> Void
  private var language: PageLanguage
  private let texts: PageTexts
  private var listed: Set<ExactText> = []
  /// The folder as it was listed last.
  private(set) var content: FolderListing.Content?

  /// - Parameters:
  ///   - store: The options that name the store of the runs and logins.
  ///   - begin: Has something done beside the calls.
  init(
    _ folder: FolderListing, _ program: Program, store: StoreOptions, isReadOnly: Bool = false,
    begin: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
  ) {
    self.folder = folder
    self.isReadOnly = isReadOnly
    self.begin = begin
    self.program = program
    self.store = store
    shelf = PageShelf(store: isReadOnly ? nil : folder.store)
    runs = PageRuns(program, store: folder.store)
    language = PageLanguage(folder, version: program.table.version)
    texts = PageTexts(files: folder.files)
  }

  /// Names the store on command lines.
  var storeWords: [String] { store.folder.map { ["--store", $0] } ?? [] }

  /// The methods that write, send or delete.
  static let changes: Set<String> = [
    "file/write", "run/plan", "run/start", "run/stop", "run/resume", "runs/delete", "tests/run",
    "tests/make",
  ]

  /// What is known of the folder's files, as JSON.
  mutating func listing() -> [UInt8] {
    let content = folder.read(isReadOnly: isReadOnly)
    listed = Set(content.paths.map { ExactText($0) })
    self.content = content
    return content.json
  }

  /// Answers the bytes of a request, now or later.
  mutating func answer(_ bytes: [UInt8], _ reply: @escaping @Sendable ([UInt8]) -> Void) {
    do throws(RPCError) {
      guard case .request(let id, let method, let parameters) = try RPCMessage(parsing: bytes)
      else {
        throw .invalidRequest("the content is not a request")
      }
      do throws(RPCError) {
        let answer = try answer(
          method, parameters, { reply(RPCMessage.response(id, .success($0))) },
          { reply(RPCMessage.response(id, .failure($0))) })
        if case .now(let value) = answer { reply(RPCMessage.response(id, .success(value))) }
      } catch {
        reply(RPCMessage.response(id, .failure(error)))
      }
    } catch {
      reply(RPCMessage.response(nil, .failure(error)))
    }
  }

  /// The drawing of a text; `nil` if it has errors.
  mutating func drawing(_ bytes: [UInt8]) -> [UInt8]? {
    guard let root = try? JSONDocument.parse(bytes).root, let place = try? place(root),
      let text = root["text"]?.string
    else { return nil }
    return language.drawing(of: text, at: place)
  }

  private mutating func answer(
    _ method: String, _ parameters: JSONNode?, _ reply: @escaping Reply,
    _ fail: @escaping @Sendable (RPCError) -> Void
  ) throws(RPCError) -> Answer {
    guard !isReadOnly || !Self.changes.contains(method) else {
      throw .requestFailed("the page is served with --read-only")
    }
    if let answer = try answerAboutRuns(method, parameters, reply, fail) { return answer }
    if let answer = try answerAboutAnswers(method, parameters, reply, fail) { return answer }
    let place = try place(parameters)
    if PageLanguage.methods.contains(method) {
      return .now(
        try language.answer(
          method, try Self.text(parameters, "text"), at: place, parameters?["more"]))
    }
    switch method {
    case "file/read": return .now(try texts.read(place, root: folder.root))
    case "file/write":
      let written = try texts.write(
        Self.text(parameters, "text"), to: place, over: Self.text(parameters, "digest"))
      language.forgetFiles()
      return .now(written)
    default: throw .unknownMethod(method)
    }
  }

  /// The place of the file that a call is about.
  mutating func place(_ parameters: JSONNode?) throws(RPCError) -> String {
    let path = try Self.text(parameters, "path")
    if !listed.contains(ExactText(path)) { _ = listing() }
    guard listed.contains(ExactText(path)), let place = folder.place(of: path) else {
      throw .invalidParameters("there is no workflow or test file of this path in the folder")
    }
    return place
  }

  static func text(_ parameters: JSONNode?, _ name: String) throws(RPCError) -> String {
    guard let text = parameters?[name]?.string else {
      throw .invalidParameters("'\(name)' is missing")
    }
    return text
  }
}
