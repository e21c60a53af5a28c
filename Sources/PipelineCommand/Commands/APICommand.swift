internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineOpenAPI
internal import PipelineSourceText
internal import PipelineURIs

/// `pipeline api`: fetches the description of an API, and pins it in a workflow.
struct APICommand: WaitingCommand {
  private let words: [String]
  private let output: String?
  private let base: String?
  private let workflow: String?
  private let updates: Bool

  static let page = CommandPage(
    name: "api",
    summary: "Fetch the description of an API and pin it by its SHA-256",
    discussion: [
      "Lint and editors read the descriptions that the key 'api' names, and fetch nothing. 'pipeline"
        + " api get URL' fetches one, writes it to a file, and prints the key with the URL and the"
        + " SHA-256 of the file. A file, or a SHA-256 in the workflow, that differs from what the"
        + " server sends is an error unless --update is given. No credentials are sent."
    ],
    examples: [
      Example(
        line: "pipeline api get https://api.example.com/petstore.yaml",
        meaning: "Write petstore.yaml here, and print the key"),
      Example(
        line: "pipeline api get https://api.example.com/a.yaml --workflow a.json --update",
        meaning: "Take a new version, and pin it in the workflow"),
    ])

  init(_ arguments: inout Arguments) {
    words = arguments.operands("get URL", .any, help: "What to do, and with which description")
    output = arguments.value(
      "output", letter: "o", "FILE", .file(ending: nil),
      help: "Where to write it; by default, the URL's last name, beside the workflow")
    base = arguments.value(
      "base-url", "URL", .any,
      help: "What requests begin with; by default, the description's first server")
    workflow = arguments.value(
      "workflow", "FILE", .file(ending: ".json"), help: "Set the key in this workflow")
    updates = arguments.flag(
      "update", help: "Replace a file, and a SHA-256, that differ from what the server sends")
  }

  func run(in program: Program) async -> ExitStatus {
    let console = program.console
    do {
      guard words.count == 2, words[0] == "get", let url = RequestURL(words[1]) else {
        throw UsageError(message: "api takes 'get URL', with an http or https URL")
      }
      let bytes = try await fetch(url, program)
      try keep(bytes, from: url.text, console)
      return .success
    } catch let error as UsageError {
      console.complain(error.message)
      return .usage
    } catch let problem as PathProblem {
      console.complain("'\(problem.path)': \(problem.reason)")
    } catch let problem as Refusal {
      console.complain(problem.message)
    } catch {
      console.complain("\(error)")
    }
    return .failure
  }

  /// Why nothing was written.
  private struct Refusal: Error {
    let message: String
  }

  // MARK: Fetching

  private static let redirectLimit = 10

  private func fetch(_ first: RequestURL, _ program: Program) async throws -> [UInt8] {
    let transport = program.transport()
    var url = first
    for _ in 0...Self.redirectLimit {
      let response: TransportResponse
      do throws(TransportError) {
        response = try await transport.send(
          TransportRequest(
            url: url.text, headers: [HeaderField("Accept", "*/*")], timeout: .seconds(120),
            responseLimit: DescribedAPI.sizeLimit))
      } catch {
        throw Refusal(message: "GET \(url.text): \(error.message)")
      }
      if (300..<400).contains(response.status), let location = response.header("location") {
        guard let next = url.resolving(location) else {
          throw Refusal(
            message: "GET \(url.text) leads to '\(location)', which is not http or https")
        }
        url = next
        continue
      }
      guard response.status == 200 else {
        throw Refusal(message: "GET \(url.text) answered \(response.status), not 200")
      }
      return response.body
    }
    throw Refusal(message: "GET \(first.text) leads on more than \(Self.redirectLimit) times")
  }

  // MARK: Keeping

  private func keep(_ bytes: [UInt8], from url: String, _ console: Console) throws {
    let path = output ?? defaultPath(of: url)
    let description: APIDescription
    do throws(DescriptionProblem) {
      description = try APIDescription(path: path, bytes: bytes, load: { _ in nil })
    } catch {
      let place = error.place.map { "line \($0.line): " } ?? ""
      throw Refusal(
        message: "'\(url)' is not a description that can be read: \(place)\(error.message)")
    }
    let servers = description.operations().lazy.flatMap { description.servers(of: $0) }
    guard let base = base ?? servers.first(where: { $0.contains(bytes: "://") }) else {
      throw UsageError(
        message: "the description names no server; --base-url says what requests begin with")
    }
    let digest = Hexadecimal.encode(SHA256.hash(bytes))
    let text = try workflow.map { ($0, try console.files.read($0, WorkflowFiles.sizeLimit)) }
    if !updates {
      try refuseAnother(digest, url, text?.1)
      if let known = try? console.files.readFile(path, DescribedAPI.sizeLimit), known != bytes {
        throw Refusal(
          message: "'\(path)' is another file than '\(url)' gives; --update replaces it")
      }
    }
    let member = JSONValue.object([
      .init("file", .string(Self.path(to: path, beside: workflow ?? ""))),
      .init("url", .string(url)),
      .init("sha256", .string(digest)),
    ])
    let changed = try text.map { ($0.0, try Self.setting(base, to: member, in: $0.1, $0.0)) }
    try AtomicFile(path: path).write(bytes)
    if let (name, bytes) = changed {
      try AtomicFile(path: name).write(bytes)
    } else {
      console.json.write(
        WorkflowLayout.text(
          of: JSONValue.object([.init("api", .object([.init(base, member)]))]).node)
      )
    }
    console.error.write(line: "Wrote \(path), SHA-256 \(digest)")
  }

  /// The last name in the URL, beside the workflow.
  private func defaultPath(of url: String) -> String {
    let path = url.prefix(before: "?", "#").split(ascii: "/").dropFirst(2).last.map(String.init)
    return PathText.path(path ?? "openapi.json", beside: workflow ?? "")
  }

  /// Refuses a file that a workflow pins with another digest.
  private func refuseAnother(_ digest: String, _ url: String, _ workflow: [UInt8]?) throws {
    guard let workflow else { return }
    let root = JSONDocument.parseRecovering(workflow).document.root
    for member in root["api"]?.members.map(\.value) ?? []
    where member["url"]?.string == url {
      guard let pinned = member["sha256"]?.string, pinned.lowercased() != digest else { continue }
      throw Refusal(
        message: "'\(url)' gives SHA-256 \(digest), and the workflow names \(pinned); --update"
          + " takes the new version")
    }
  }

  /// A workflow with the description of a base URL.
  private static func setting(
    _ base: String, to value: JSONValue, in bytes: [UInt8], _ name: String
  ) throws -> [UInt8] {
    let (document, problems) = JSONDocument.parseRecovering(bytes)
    guard problems.isEmpty, document.root.kind == .object else {
      throw Refusal(message: "'\(name)' is not a workflow that can be read")
    }
    let written = value.description
    let name = JSONValue.string(base).description
    let edit: DiagnosticFix.Edit?
    if let api = document.root["api"], api.kind == .object {
      edit = api.setting(base, to: written)
    } else {
      edit = document.root.setting("api", to: "{ \(name): \(written) }")
    }
    guard let edit else { return bytes }
    var changed = bytes
    changed.replaceSubrange(edit.range, with: Array(edit.replacement.utf8))
    // A file that was laid out stays so.
    guard WorkflowLayout.text(of: document.root) == bytes else { return changed }
    return WorkflowLayout.text(of: JSONDocument.parseRecovering(changed).document.root)
  }

  /// A path as a file in another folder writes it.
  private static func path(to path: String, beside file: String) -> String {
    guard path.hasPrefix(bytes: "/") == file.hasPrefix(bytes: "/") else { return path }
    let target = FilePath.normalized(path).split(ascii: "/").map(String.init)
    let folder = FilePath.normalized(file).split(ascii: "/").dropLast().map(String.init)
    let shared = zip(target.dropLast(), folder).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: folder.count - shared)
    let parts = up + target.dropFirst(shared)
    return (up.isEmpty ? "./" : "") + parts.joined(separator: "/")
  }
}
