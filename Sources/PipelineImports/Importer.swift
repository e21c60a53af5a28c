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

  package internal(set) var report = ImportReport()
  /// The responses that the files keep as examples.
  package private(set) var answers = SavedAnswers()
  /// Whether only data orders the requests. Otherwise they run in their order in the file.
  private let isRelaxed: Bool

  package init(isRelaxed: Bool) { self.isRelaxed = isRelaxed }

  /// What a file gives.
  private enum Content {
    case requests(ImportedCollection)
    case environments([(name: String, values: [ImportedCollection.Variable])])
    /// One of the files of a collection.
    case part(CollectionParts.Content)
  }

  /// The workflow of one file with requests, and of files with environments.
  ///
  /// - Complexity: Linear in the size of the files.
  package mutating func workflow(of files: [File]) throws(Problem) -> JSONValue {
    var collection: ImportedCollection?
    var environments: [(name: String, values: [ImportedCollection.Variable])] = []
    var mocks: [MockedRoute] = []
    var parts = CollectionParts()
    for file in files {
      report.file = file.name
      guard let content = try Self.content(of: file, &report) else { continue }
      switch try read(content, of: file) {
      case .environments(let found): environments += found
      case .part(.environment(let name, let values)):
        environments.append((name ?? Self.baseName(file.name), values))
      case .part(.mocks(let routes)): mocks += routes
      case .part(let content): parts.add(content, file: file.name)
      case .requests(let found):
        guard collection == nil else {
          throw Problem(
            file: file.name,
            message: "there are requests in another file already; import one file at a time")
        }
        collection = found
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
      let message =
        if !mocks.isEmpty {
          "it has only the responses of a mock server; name the file with the requests, too"
        } else if !environments.isEmpty {
          "it has only the values of variables; name the file with the requests, too"
        } else {
          "there are no requests in it"
        }
      if parts.hasSettings {
        throw Problem(
          file: files[0].name,
          message: "it has only the settings of a collection; name the files of its requests, too")
      }
      throw Problem(file: files.first?.name ?? "", message: message)
    }
    collection.environments += environments
    collection.addExamples(of: mocks)
    var writer = WorkflowWriter(collection, isRelaxed: isRelaxed, report)
    defer { report = writer.report }
    let workflow = writer.workflow()
    answers = SavedAnswers(collection.requests, writer.ids)
    return workflow
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
      return .requests(HTTPFileReader.collection(of: text, &report))
    case .text(.hurl, let text):
      return .requests(HurlReader.collection(of: text, &report))
    case .text(.bruno, let text):
      return .part(BrunoReader.content(of: text, &report))
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
      return .environments([PostmanReader.environment(of: root, line: line, &report)])
    case .postmanFolder: return .part(PostmanReader.part(of: root, line: line, &report))
    case .httpEnvironments: return .environments(HTTPEnvironments.read(root, line: line, &report))
    case .insomnia4, .insomnia5:
      guard let export = InsomniaExport(root) else {
        throw Problem(
          file: file.name,
          message: "it is an Insomnia export of an older version; export it again as version 4 or 5"
        )
      }
      if !export.hasRequests, !export.mocks.isEmpty { return .part(.mocks(export.mocks)) }
      return export.hasRequests
        ? .requests(InsomniaReader.collection(of: export, line: line, &report))
        : .environments(InsomniaReader.environments(of: export, line: line, &report))
    case .openCollection, .openCollectionEnvironment:
      return .part(OpenCollectionReader.content(of: root, line: line, &report))
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
