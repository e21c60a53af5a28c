internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineYAMLText

// What the files are that are imported.

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
    if let kind = ForeignKind(ofText: text) {
      // Without a response, a file of Hurl may be one of `.http`, too.
      let isHurl = kind == .http && file.name.hasSuffix(bytes: ".hurl")
      return .text(isHurl ? .hurl : kind, text)
    }
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
