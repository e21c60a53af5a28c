internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineYAMLText

/// An Arazzo file whose workflows are read, with the descriptions that it names.
struct ArazzoDocument {
  typealias Load = @Sendable (String) -> [UInt8]?

  /// What the report calls it.
  let name: String
  let root: ReadNode
  let line: (JSONNode) -> Int
  let sources: ArazzoSources
  /// The folder of the file, seen from that of the imported file: `""`, or one that ends with `/`.
  private let folder: String
  private let load: Load

  init(
    _ root: JSONNode, name: String, folder: String = "", line: @escaping (JSONNode) -> Int,
    _ load: @escaping Load
  ) {
    self.name = name
    self.root = ReadNode(root)
    self.line = line
    self.folder = folder
    self.load = load
    sources = ArazzoSources(self.root) { load(folder + $0) }
  }

  func line(_ node: ReadNode) -> Int { line(node.node) }

  /// The workflows of the file.
  var workflows: [ReadNode] { root["workflows"].items }

  func workflow(_ id: String) -> ReadNode? {
    workflows.first { $0["workflowId"]?.string.equals(bytes: id) == true }
  }

  /// A shared part of the file: `$components.parameters.page`.
  ///
  /// - Parameter group: The part of `components` that it must be in.
  func component(_ reference: String, in group: String) throws(ArazzoRefusal) -> ReadNode {
    let prefix = "$components.\(group)."
    let name = String(reference.dropFirst(bytes: prefix.utf8.count))
    guard reference.hasPrefix(bytes: prefix), let found = root["components"]?[group]?[name] else {
      throw ArazzoRefusal(message: "'\(reference)' is not in 'components' of the file")
    }
    return found
  }

  /// The Arazzo file that a source description names.
  func other(_ source: String) throws(ArazzoRefusal) -> ArazzoDocument {
    let path = try sources.arazzoFile(source)
    guard let bytes = load(folder + path) else {
      throw ArazzoRefusal(
        message:
          "the file of '\(source)' is not there; put it beside the file as '\(path)', or name it, too"
      )
    }
    let file = Importer.File(name: folder + path, bytes: bytes)
    let end = path.lastIndex(ascii: "/").map { String(path[...$0]) } ?? ""
    do throws(Importer.Problem) {
      guard let found = try Self.parse(file) else {
        throw Importer.Problem(file: path, message: "it is not an Arazzo file")
      }
      return ArazzoDocument(
        found.root, name: folder + path, folder: folder + end, line: found.line, load)
    } catch {
      throw ArazzoRefusal(message: "the file '\(path)' cannot be read: \(error.message)")
    }
  }

  /// The content of an Arazzo file, and the lines of its values; `nil` if it is another file.
  static func parse(
    _ file: Importer.File
  ) throws(Importer.Problem) -> (root: JSONNode, line: (JSONNode) -> Int)? {
    let lines = LineNumbers(file.bytes)
    switch try Importer.content(of: file) {
    case .json(.arazzo, let document):
      let root = document.root
      // A payload that is written as a text is a document of its own.
      return (
        root,
        { node in
          node.document === root.document ? lines.line(of: node.range.lowerBound) : 1
        }
      )
    case .yaml(.arazzo, let document):
      let root = document.document.root
      return (
        root,
        { node in
          node.document === root.document ? lines.line(of: document.range(of: node).lowerBound) : 1
        }
      )
    default: return nil
    }
  }
}
