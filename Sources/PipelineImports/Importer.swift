internal import PipelineByteText
package import PipelineJSONText

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
  }

  package private(set) var report = ImportReport()
  /// Whether only data orders the requests. Otherwise they run in their order in the file.
  private let isRelaxed: Bool

  package init(isRelaxed: Bool) { self.isRelaxed = isRelaxed }

  /// The content of a file.
  private enum Content {
    case requests(ImportedCollection)
    case environments([(name: String, values: [ImportedCollection.Variable])])
  }

  /// The workflow of one file with requests, and of files with environments.
  ///
  /// - Complexity: Linear in the size of the files.
  package mutating func workflow(of files: [File]) throws(Problem) -> JSONValue {
    var collection: ImportedCollection?
    var environments: [(name: String, values: [ImportedCollection.Variable])] = []
    for file in files {
      report.file = file.name
      switch try content(of: file) {
      case .environments(let found): environments += found
      case .requests(let found):
        guard collection == nil else {
          throw Problem(
            file: file.name,
            message: "there are requests in another file already; import one file at a time")
        }
        collection = found
      }
    }
    guard var collection, !collection.requests.isEmpty else {
      throw Problem(file: files.first?.name ?? "", message: "there are no requests in it")
    }
    collection.environments += environments
    var writer = WorkflowWriter(collection, isRelaxed: isRelaxed, report)
    defer { report = writer.report }
    return writer.workflow()
  }

  private mutating func content(of file: File) throws(Problem) -> Content {
    guard let text = String(validating: file.bytes, as: UTF8.self) else {
      throw Problem(file: file.name, message: "it is not UTF-8 text")
    }
    let start = text.unicodeScalars.first { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }
    guard start == "{" || start == "[" else {
      return .requests(HTTPFileReader.collection(of: text, &report))
    }
    guard let document = try? JSONDocument.parse(file.bytes) else {
      throw Problem(file: file.name, message: "it is not valid JSON")
    }
    let root = document.root
    if root["item"] != nil, root["info"] != nil {
      return .requests(PostmanReader.collection(of: document, &report))
    }
    if root["values"] != nil, root["name"]?.string != nil {
      return .environments([PostmanReader.environment(of: document, &report)])
    }
    if HTTPEnvironments.isOne(root) {
      return .environments(HTTPEnvironments.read(document, &report))
    }
    throw Problem(
      file: file.name,
      message: "it is not a Postman collection, an environment, an .http file or a curl command")
  }
}
