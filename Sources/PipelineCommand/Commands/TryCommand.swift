internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelinePlanning
internal import PipelineSandboxServers
internal import PipelineSourceText
internal import SQLiteJournals
internal import Synchronization

/// `pipeline try`: sends one request and shows what queries select in the response.
struct TryCommand: WaitingCommand {
  private let request: String
  private let queries: [String]
  private let headers: [String]
  private let json: String?
  private let data: String?
  private let user: String?
  private let color: ColorChoice

  static let page = CommandPage(
    name: "try",
    summary: "Send one request and show what queries select in the response",
    discussion: [
      "Prints the response with a mark at everything that a query selects, then a workflow that"
        + " sends the same request and extracts the same values. Credentials become secret inputs"
        + " in it. Nothing is kept.",
      "The request is sent even if it changes something: try 'DELETE …' deletes.",
    ],
    examples: [
      Example(
        line: "pipeline try 'GET sandbox:/reqres/users' '$.data[*].id'",
        meaning: "See which ids a query selects"),
      Example(
        line: "pipeline try https://api.example.com/me -H 'Authorization: Bearer …'",
        meaning: "Look at a response"),
    ])

  init(_ arguments: inout Arguments) {
    request = arguments.operand(
      "REQUEST", .any, help: "The method and the URL as one word, or only the URL for a GET")
    queries = arguments.operands("QUERY", .any, help: "JSONPath queries of the body")
    headers = arguments.values(
      "header", letter: "H", "FIELD", .any, help: "A header field: 'Name: value' (repeatable)")
    json = arguments.value("json", "JSON", .any, help: "The body, as JSON")
    data = arguments.value("data", letter: "d", "BODY", .any, help: "The body, as a form or a text")
    user = arguments.value(
      "user", letter: "u", "USER:PASSWORD", .any, help: "Credentials for basic authentication")
    color = arguments.color()
  }

  func run(in program: Program) async -> ExitStatus {
    let console = program.console
    let file: SourceFile
    let extractors: [JSONValue.Member]
    let credentials: [String: String]
    do {
      let curl = try CurlCommand(try curl())
      extractors = try Self.extractors(queries)
      var workflow = CurlWorkflow(curl, extracting: extractors)
      file = SourceFile(name: "try.json", bytes: workflow.text())
      credentials = workflow.credentials
    } catch let problem as ShellWords.Problem {
      console.complain("the request cannot be read: \(problem.message)")
      return .usage
    } catch let error as UsageError {
      console.complain(error.message)
      return .usage
    } catch {
      console.complain("the request cannot be read")
      return .usage
    }
    let source = PlanSource(console: console, color: color, isQuiet: true)
    guard let (linted, plan) = source.plan(of: file, as: "the request", to: "sent") else {
      return .invalid
    }
    return await send(linted, plan, extractors, credentials, program)
  }

  /// The request as a curl command, which is what the workflow is made of.
  private func curl() throws(UsageError) -> String {
    let method = request.uppercased()
    if HTTPMethod.isKnown(method), let url = queries.first,
      !url.hasPrefix(bytes: "$")
    {
      throw UsageError(
        message: "the method and the URL are one word: pipeline try "
          + ShellWords.quoted("\(method) \(url)"))
    }
    let words = request.split(ascii: " ").map { String($0) }
    var curl = ["curl"]
    switch words.count {
    case 1: curl.append(request)
    case 2: curl += ["-X", words[0], words[1]]
    default:
      throw UsageError(
        message: "REQUEST is a URL, or a method and a URL in quotes, and not '\(request)'")
    }
    if let url = words.last, url.hasPrefix(bytes: "swift:") {
      throw UsageError(
        message: "'\(url)' is code of an app, which only the app calls; try takes a URL")
    }
    for header in headers {
      guard let colon = header.firstIndex(ascii: ":"), colon > header.startIndex else {
        throw UsageError(message: "--header takes 'Name: value', not '\(header)'")
      }
      curl += ["-H", header]
    }
    if let json {
      if let problem = JSONDocument.parseRecovering(Array(json.utf8)).problems.first {
        throw UsageError(message: "--json takes JSON: \(problem.message)")
      }
      curl += ["--json", json]
    }
    if let data { curl += ["--data", data] }
    if let user { curl += ["-u", user] }
    return curl.map(ShellWords.quoted).joined(separator: " ")
  }

  /// An extractor for each query, named after the last name in it.
  private static func extractors(_ queries: [String]) throws(UsageError) -> [JSONValue.Member] {
    var taken: Set<String> = []
    var extractors: [JSONValue.Member] = []
    for text in queries {
      let query: Query
      switch Query.parse(text) {
      case .success(let parsed): query = parsed
      case .failure(let error):
        throw UsageError(message: "the query '\(text)' cannot be read: \(error.message)")
      }
      let last = query.segments.last { $0.name != nil }?.name ?? "value"
      let base = CurlWorkflow.inputName(last)
      var name = base
      var number = 2
      while !taken.insert(name).inserted {
        name = base + String(number)
        number += 1
      }
      extractors.append(.init(name, .string(text)))
    }
    return extractors
  }

  private func send(
    _ linted: LintedWorkflow, _ plan: Plan, _ extractors: [JSONValue.Member],
    _ credentials: [String: String], _ program: Program
  ) async -> ExitStatus {
    let console = program.console
    let step = plan.workflow.block.steps.first?.id.value ?? ""
    let shown: ShownStep
    let sandbox: SandboxServer?
    do {
      shown = try ShownStep(step)
      sandbox = linted.namesSandbox ? try SandboxServer.start() : nil
    } catch {
      console.complain("\(error)")
      return .failure
    }
    defer { sandbox?.stop() }
    var options = program.runOptions
    options.sandboxOrigin = sandbox?.origin
    let notes = HeardNotes()
    options.observer = notes.hear
    options.cache = cache(of: linted, console).map(InvalidatedCache.init)
    var pipeline = Pipeline(
      plan, transport: shown.watching(program.transport(), sandbox: sandbox?.origin),
      options: options)
    let result: RunResult
    do {
      let inputs = credentials.mapValues { JSONValue.string($0) }
      try await program.secrets.fill(&options, of: plan, given: inputs.keys, named: nil)
      pipeline.options = options
      result = try await pipeline.run(inputs: inputs).result
    } catch {
      console.complain("\(error)")
      return .failure
    }
    let isColored = console.isColored(console.output, color: color)
    if let text = shown.plainText(colored: isColored) {
      console.output.write(inked: text)
      let heading = Line("The same as a workflow, to keep in a file:", .bold)
      console.output.write(inked: "\n" + heading.text(colored: isColored) + "\n\n")
      console.json.write(plan.workflow.source.bytes)
    }
    for failure in result.report.failures.map(\.failure) where failure.kind != .network {
      console.complain(([failure.message] + failure.hints).joined(separator: "; "))
    }
    guard result.status == .succeeded else { return .failure }
    let values = result.outputs[step]
    let empty = extractors.filter { values?[$0.name]?.isEmptyList ?? false }
    for extractor in empty {
      console.complain(
        notes.first(beginning: "extractor '\(extractor.name)' ")
          ?? "the query '\(extractor.value.node.string ?? "")' selects nothing in the response")
    }
    return empty.isEmpty ? .success : .failure
  }

  /// The cache of earlier runs, from which the request drops what no longer holds.
  private func cache(of linted: LintedWorkflow, _ console: Console) -> SQLiteResponseCache? {
    guard linted.mayInvalidate,
      let kept = KeptResponses(in: .standard, environment: console.environment)
    else { return nil }
    do throws(JournalError) {
      return try kept.openToDrop()
    } catch {
      console.error.write(line: "note: responses of earlier runs stay: \(error.message)")
      return nil
    }
  }
}

/// The notes of a run.
private final class HeardNotes: Sendable {
  private let messages = Mutex<[String]>([])

  func hear(_ event: RunEvent) {
    guard case .note(let note) = event.kind else { return }
    messages.withLock { $0.append(note.message) }
  }

  func first(beginning start: String) -> String? {
    messages.withLock { messages in messages.first { $0.hasPrefix(bytes: start) } }
  }
}

extension JSONNode {
  fileprivate var isEmptyList: Bool { kind == .array && count == 0 }
}
