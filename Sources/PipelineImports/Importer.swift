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

    package init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// Why files cannot be imported.
  package struct Problem: Error, Hashable {
    package let file: String
    package let message: String

    package init(file: String, message: String) {
      self.file = file
      self.message = message
    }
  }

  package private(set) var report = ImportReport()
  /// Whether only data orders the requests. Otherwise they run in their order in the file.
  private let isRelaxed: Bool

  package init(isRelaxed: Bool) { self.isRelaxed = isRelaxed }

  /// What a file gives.
  private enum Content {
    case requests(ImportedCollection)
    case environments([(name: String, values: [ImportedCollection.Variable])])
    /// One of the files of a collection.
    case part(BrunoReader.Content)
  }

  /// The workflow of one file with requests, and of files with environments.
  ///
  /// - Complexity: Linear in the size of the files.
  package mutating func workflow(of files: [File]) throws(Problem) -> JSONValue {
    var collection: ImportedCollection?
    var environments: [(name: String, values: [ImportedCollection.Variable])] = []
    var parts = BrunoCollection()
    for file in files {
      report.file = file.name
      switch try read(file) {
      case .environments(let found): environments += found
      case .part(.environment(let values)):
        environments.append((Self.baseName(file.name), values))
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
        environments.isEmpty
        ? "there are no requests in it"
        : "it has only the values of variables; name the file with the requests, too"
      if parts.hasSettings {
        throw Problem(
          file: files[0].name,
          message: "it has only the settings of a collection; name the files of its requests, too")
      }
      throw Problem(file: files.first?.name ?? "", message: message)
    }
    collection.environments += environments
    var writer = WorkflowWriter(collection, isRelaxed: isRelaxed, report)
    defer { report = writer.report }
    return writer.workflow()
  }

  private mutating func read(_ file: File) throws(Problem) -> Content {
    let content = try Self.content(of: file)
    switch content {
    case .json(.postmanCollection, let document):
      guard document.root["item"] != nil else {
        throw Problem(
          file: file.name,
          message: "it is a Postman collection of version 1; export it as version 2.1")
      }
      return .requests(PostmanReader.collection(of: document, &report))
    case .json(.postmanEnvironment, let document):
      return .environments([PostmanReader.environment(of: document, &report)])
    case .json(.httpEnvironments, let document):
      return .environments(HTTPEnvironments.read(document, &report))
    case .text(.http, let text):
      return .requests(HTTPFileReader.collection(of: text, &report))
    case .text(.hurl, let text):
      return .requests(HurlReader.collection(of: text, &report))
    case .text(.bruno, let text):
      return .part(BrunoReader.content(of: text, &report))
    case .json(.openCollection, let document), .json(.openCollectionEnvironment, let document):
      let lines = LineNumbers(file.bytes)
      return .part(
        OpenCollectionReader.content(
          of: document.root, line: { lines.line(of: $0.range.lowerBound) }, &report))
    case .yaml(.openCollection, let document), .yaml(.openCollectionEnvironment, let document):
      let lines = LineNumbers(file.bytes)
      return .part(
        OpenCollectionReader.content(
          of: document.document.root,
          line: { lines.line(of: document.range(of: $0).lowerBound) }, &report))
    case .json, .yaml, .text: throw Self.refusal(of: content.kind, file)
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
