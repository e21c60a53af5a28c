internal import PipelineByteText
package import PipelineJSONText
internal import PipelineYAMLText

extension Importer {
  /// The workflow of an Arazzo file; `nil` if no file is one.
  ///
  /// - Parameters:
  ///   - files: The Arazzo file, and the descriptions that it names, if they are not beside it.
  ///   - chosen: The id of the workflow; `nil`: the first that no other one calls.
  ///   - load: Reads a file beside the Arazzo file, by its relative path.
  package mutating func arazzoWorkflow(
    of files: [File], chosen: String?, load: @escaping @Sendable (String) -> [UInt8]?
  ) throws(Problem) -> JSONValue? {
    for file in files where !file.isFound {
      let lines = LineNumbers(file.bytes)
      let root: JSONNode
      let line: (JSONNode) -> Int
      switch try Self.content(of: file) {
      case .json(.arazzo, let document):
        root = document.root
        line = { lines.line(of: $0.range.lowerBound) }
      case .yaml(.arazzo, let document):
        root = document.document.root
        // A payload that is written as a text is a document of its own.
        line = { node in
          node.document === root.document ? lines.line(of: document.range(of: node).lowerBound) : 1
        }
      default: continue
      }
      let others = files.filter { !$0.name.equals(bytes: file.name) }
      return try workflow(of: root, line, file, chosen) { path in
        others.first { $0.name.equals(bytes: path) || $0.name.hasSuffix(bytes: "/" + path) }?.bytes
          ?? load(path)
      }
    }
    return nil
  }

  private mutating func workflow(
    of root: JSONNode, _ line: @escaping (JSONNode) -> Int, _ file: File, _ chosen: String?,
    _ load: @escaping @Sendable (String) -> [UInt8]?
  ) throws(Problem) -> JSONValue {
    report.file = file.name
    let version = root["arazzo"].map { $0.string ?? $0.text } ?? ""
    guard
      ["1.0", "1.1"].contains(where: {
        version.equals(bytes: $0) || version.hasPrefix(bytes: $0 + ".")
      })
    else {
      throw Problem(
        file: file.name, message: "it is Arazzo \(version), and import reads 1.0 and 1.1")
    }
    var reader = ArazzoReader(root, line: line, report, load)
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
      throw Problem(file: file.name, message: error.message)
    }
  }
}
