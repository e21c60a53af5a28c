internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineYAMLText

/// The kinds of files that an import tells apart. Only the content decides, never a file's name.
package enum ForeignKind: Sendable, Hashable, CaseIterable {
  case har
  case postmanCollection, postmanFolder, postmanEnvironment
  case bruno, openCollection, openCollectionEnvironment
  case insomnia4, insomnia5
  case hurl, arazzo
  case http, httpEnvironments
  case curl
  /// Files that are not collections of requests, but are often mistaken for them.
  case apiDescription, workflow

  /// What a message calls a file of this kind.
  package var title: String {
    switch self {
    case .har: "a HAR recording"
    case .postmanCollection: "a Postman collection"
    case .postmanFolder: "a part of a Postman 3.0 collection"
    case .postmanEnvironment: "a Postman environment"
    case .bruno: "a .bru file of Bruno"
    case .openCollection: "a part of an OpenCollection"
    case .openCollectionEnvironment: "an environment of an OpenCollection"
    case .insomnia4: "an Insomnia export"
    case .insomnia5: "an Insomnia 5 file"
    case .hurl: "a Hurl file"
    case .arazzo: "an Arazzo description"
    case .http: "an .http file"
    case .httpEnvironments: "a file of environments for .http files"
    case .curl: "a curl command"
    case .apiDescription: "the description of an API"
    case .workflow: "a workflow already"
    }
  }

  /// Whether files of this kind make up a collection. Of a folder, only these are read.
  var isOfCollection: Bool {
    switch self {
    case .har, .curl, .apiDescription, .arazzo, .workflow: false
    default: true
    }
  }
}

/// A file whose kind is known.
enum ForeignContent {
  case json(ForeignKind, JSONDocument)
  case yaml(ForeignKind, YAMLDocument)
  case text(ForeignKind, String)

  var kind: ForeignKind {
    switch self {
    case .json(let kind, _), .yaml(let kind, _), .text(let kind, _): kind
    }
  }
}

extension Importer {
  /// What a file is by its content; `nil` for a file of a folder that import does not read.
  ///
  /// - Throws: A problem if a file that was named cannot be read.
  static func content(
    of file: File, _ report: inout ImportReport
  ) throws(Problem) -> ForeignContent? {
    do throws(Problem) {
      let content = try content(of: file)
      return file.isFound && !content.kind.isOfCollection ? nil : content
    } catch {
      guard file.isFound else { throw error }
      if !error.isUnknownKind { report.refuse(1, error.message) }
      return nil
    }
  }

  /// What a file is by its content.
  ///
  /// - Throws: A problem if it is of no known kind, or is not valid JSON or YAML.
  /// - Complexity: Linear in the size of the file.
  static func content(of file: File) throws(Problem) -> ForeignContent {
    guard let text = String(validating: file.bytes, as: UTF8.self) else {
      throw Problem(file: file.name, message: "it is not UTF-8 text")
    }
    let start = text.unicodeScalars.first { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }
    if start == "{" || start == "[" {
      // Flow collections of YAML begin like JSON.
      if let document = try? JSONDocument.parse(file.bytes) {
        guard let kind = ForeignKind(of: document.root) else { throw unknown(file) }
        return .json(kind, document)
      }
      if let document = try? YAMLDocument.parse(file.bytes),
        let kind = ForeignKind(of: document.document.root)
      {
        return .yaml(kind, document)
      }
      throw Problem(file: file.name, message: "it is not valid JSON")
    }
    if let kind = ForeignKind(ofText: text) { return .text(kind, text) }
    let document: YAMLDocument
    do throws(YAMLProblem) {
      document = try YAMLDocument.parse(file.bytes)
    } catch {
      guard ForeignKind.beginsLikeYAML(text) else { throw unknown(file) }
      let line = LineNumbers(file.bytes).line(of: error.range.lowerBound)
      throw Problem(
        file: file.name, message: "it is not valid YAML: line \(line): \(error.message)")
    }
    guard let kind = ForeignKind(of: document.document.root) else { throw unknown(file) }
    return .yaml(kind, document)
  }

  /// Whether a file is a HAR recording, wherever its entries are.
  ///
  /// - Complexity: Linear in the size of the file.
  package static func isRecording(_ bytes: [UInt8]) -> Bool {
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    guard first == UInt8(ascii: "{"), let document = try? JSONDocument.parse(bytes) else {
      return false
    }
    return ForeignKind(of: document.root) == .har
  }

  private static func unknown(_ file: File) -> Problem {
    Problem(
      file: file.name,
      message: "it is of no kind that import knows; it reads HAR recordings, collections of"
        + " Postman, Bruno and Insomnia, .http, Hurl and Arazzo files, and curl commands",
      isUnknownKind: true)
  }
}
