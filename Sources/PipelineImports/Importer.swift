internal import PipelineByteText
package import PipelineJSONText
internal import PipelineYAMLText

/// Makes a workflow of the files of another tool.
///
/// Performs no I/O, and executes nothing that is in the files.
package struct Importer {
  /// A file to import.
  package struct File: Sendable {
    package let name: String
    package let bytes: [UInt8]
    /// Whether it was found in a folder. Then it need not be of a kind that is known.
    package let isFound: Bool

    package init(name: String, bytes: [UInt8], isFound: Bool = false) {
      self.name = name
      self.bytes = bytes
      self.isFound = isFound
    }
  }

  /// Why files cannot be imported.
  package struct Problem: Error, Hashable {
    package let file: String
    package let message: String
    /// Whether the file is of a kind that import does not know.
    package let isUnknownKind: Bool

    package init(file: String, message: String, isUnknownKind: Bool = false) {
      self.file = file
      self.message = message
      self.isUnknownKind = isUnknownKind
    }
  }

  package var report = ImportReport()
  /// The responses that the files keep as examples.
  package private(set) var answers = SavedAnswers()
  /// Whether only data orders the requests. Otherwise they run in their order in the file.
  private let isRelaxed: Bool
  private let readCommands: ForeignCommands.Reader

  /// - Parameter readCommands: Reads the curl commands that may be in `.http` files.
  package init(
    isRelaxed: Bool, readCommands: @escaping ForeignCommands.Reader = ForeignCommands.refuse
  ) {
    self.isRelaxed = isRelaxed
    self.readCommands = readCommands
  }

  /// What a file gives.
  private enum Content {
    case requests(ImportedCollection)
    case surroundings(ImportedSurroundings)
    /// Parts of a collection, with the paths that they have in the file; empty for the file itself.
    case parts([(path: String, content: CollectionParts.Content)])
  }

  /// The workflow of one file with requests, and of files with environments.
  ///
  /// - Complexity: Linear in the size of the files.
  package mutating func workflow(of files: [File]) throws(Problem) -> JSONValue {
    var collection: ImportedCollection?
    var surroundings = ImportedSurroundings()
    var parts = CollectionParts()
    for file in files {
      report.file = file.name
      guard let content = try Self.content(of: file, &report) else { continue }
      switch try read(content, of: file) {
      case .surroundings(let found): surroundings.add(found)
      case .parts(let found):
        for (path, content) in found {
          switch content {
          case .environment(let name, let values):
            surroundings.add(values, to: name ?? Self.baseName(file.name))
          case .globals(let values): surroundings.globals += values
          case .mocks(let routes): surroundings.mocks += routes
          default: parts.add(content, file: file.name, path: path)
          }
        }
      case .requests(let found):
        guard collection == nil else {
          throw Problem(
            file: file.name,
            message: "there are requests in another file already; import one file at a time")
        }
        collection = found
        for index in found.requests.indices { collection?.requests[index].file = file.name }
      }
    }
    if parts.hasRequests {
      guard collection == nil else {
        throw Problem(
          file: files[0].name, message: "its requests are of another tool than those beside it")
      }
      collection = parts.collection(&report)
    }
    guard var collection, !collection.requests.isEmpty else {
      if let first = report.refused.first {
        throw Problem(
          file: first.file,
          message: "it has no request that can be translated: line \(first.line): \(first.message)")
      }
      if parts.hasSettings {
        throw Problem(
          file: files[0].name,
          message: "it has only the settings of a collection; name the files of its requests, too")
      }
      throw Problem(
        file: files.first?.name ?? "",
        message: surroundings.problem ?? "there are no requests in it")
    }
    surroundings.apply(to: &collection, &report)
    var writer = WorkflowWriter(collection, isRelaxed: isRelaxed, report)
    defer { report = writer.report }
    let workflow = writer.workflow()
    answers = SavedAnswers(collection.requests, writer.ids)
    return workflow
  }

  /// The workflow of requests that are not in a file of a tool, such as those of commands.
  package mutating func workflow(of requests: [ImportedRequest]) -> JSONValue {
    var collection = ImportedCollection()
    collection.requests = requests
    var writer = WorkflowWriter(collection, isRelaxed: isRelaxed, report)
    defer { report = writer.report }
    return writer.workflow()
  }

  private mutating func read(
    _ content: ForeignContent, of file: File
  ) throws(Problem) -> Content {
    switch content {
    case .json(let kind, let document):
      let lines = LineNumbers(file.bytes)
      return try read(
        kind, document.root, line: { lines.line(of: $0.range.lowerBound) }, of: file)
    case .yaml(let kind, let document):
      let lines = LineNumbers(file.bytes)
      return try read(
        kind, document.document.root,
        line: { lines.line(of: document.range(of: $0).lowerBound) }, of: file)
    case .text(.http, let text):
      return .requests(HTTPFileReader.collection(of: text, readCommands, &report))
    case .text(.hurl, let text):
      return .requests(HurlReader.collection(of: text, &report))
    case .text(.bruno, let text):
      return .parts([("", BrunoReader.content(of: text, &report))])
    case .text(let kind, _): throw Self.refusal(of: kind, file)
    }
  }

  /// Reads a document of JSON or YAML.
  ///
  /// - Parameter line: The line of a value in the file.
  private mutating func read(
    _ kind: ForeignKind, _ root: JSONNode, line: @escaping (JSONNode) -> Int, of file: File
  ) throws(Problem) -> Content {
    switch kind {
    case .postmanCollection:
      guard root["item"] != nil else {
        throw Problem(
          file: file.name,
          message: "it is a Postman collection of version 1; export it as version 2.1")
      }
      return .requests(PostmanReader.collection(of: root, line: line, &report))
    case .postmanEnvironment:
      return .surroundings(PostmanReader.environment(of: root, line: line, &report))
    case .postmanFolder:
      return .parts([("", PostmanReader.part(of: root, line: line, &report))])
    case .httpEnvironments: return .surroundings(HTTPEnvironments.read(root, line: line, &report))
    case .insomnia4, .insomnia5:
      guard let export = InsomniaExport(root) else {
        throw Problem(
          file: file.name,
          message: "it is an Insomnia export of an older version; export it again as version 4 or 5"
        )
      }
      return export.hasRequests
        ? .requests(InsomniaReader.collection(of: export, line: line, &report))
        : .surroundings(InsomniaReader.surroundings(of: export, line: line, &report))
    case .openCollection, .openCollectionEnvironment:
      return .parts(OpenCollectionReader.parts(of: root, line: line, &report))
    default: throw Self.refusal(of: kind, file)
    }
  }

  /// The last name of a path, without its ending.
  private static func baseName(_ path: String) -> String {
    let name = path.split(ascii: "/").last.map { String($0) } ?? path
    return name.lastIndex(ascii: ".").map { String(name[..<$0]) } ?? name
  }

  /// Why a file of a known kind is not read here.
  private static func refusal(of kind: ForeignKind, _ file: File) -> Problem {
    let hint =
      switch kind {
      case .curl: "; import it alone"
      case .apiDescription: "; 'pipeline new --api' makes a workflow of it"
      case .workflow: ""
      case .har: "; import it alone, or with a second recording of the same"
      default: ", which import does not read"
      }
    return Problem(file: file.name, message: "it is \(kind.title)\(hint)")
  }
}
