internal import PipelineByteText
package import PipelineJSONText

extension Importer {
  /// The workflow of an Arazzo file; `nil` if no file is one.
  ///
  /// - Parameters:
  ///   - files: The Arazzo file, and the files that it names, if they are not beside it.
  ///   - chosen: The id of the workflow; `nil` for the first that no other one calls.
  ///   - load: Reads a file beside the Arazzo file, by its relative path, which leads to no other
  ///     folder than that of the file and those in it.
  package mutating func arazzoWorkflow(
    of files: [File], chosen: String?, load: @escaping @Sendable (String) -> [UInt8]?
  ) throws(Problem) -> JSONValue? {
    for file in files where !file.isFound {
      guard let found = try ArazzoDocument.parse(file) else { continue }
      let others = files.filter { !$0.name.equals(bytes: file.name) }
      let document = ArazzoDocument(found.root, name: file.name, line: found.line) { path in
        others.first { $0.name.equals(bytes: path) || $0.name.hasSuffix(bytes: "/" + path) }?.bytes
          ?? load(path)
      }
      return try workflow(of: document, chosen)
    }
    return nil
  }

  private mutating func workflow(
    of document: ArazzoDocument, _ chosen: String?
  ) throws(Problem) -> JSONValue {
    report.file = document.name
    var reader = ArazzoReader(document, report)
    defer { report = reader.report }
    do throws(ArazzoRefusal) {
      let workflow = try reader.workflow(chosen)
      guard reader.report.translated > 0 else {
        let first = reader.report.refused.first
        throw ArazzoRefusal(
          message: "it has no request that can be translated"
            + (first.map { ": line \($0.line): \($0.message)" } ?? ""))
      }
      return workflow
    } catch {
      throw Problem(file: document.name, message: error.message)
    }
  }
}
