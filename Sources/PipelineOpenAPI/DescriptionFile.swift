package import PipelineJSONText
package import PipelineSourceText
internal import PipelineYAMLText
internal import Synchronization

/// A file of a description, in JSON or YAML.
package final class DescriptionFile: Sendable {
  /// The text, whose name is the path as the author gave it, or as a reference in another file leads
  /// to it.
  package let source: SourceFile
  /// The whole value.
  package let root: JSONNode
  /// The text of a YAML file; `nil` for JSON, whose places are those of its nodes.
  private let yaml: YAMLDocument?
  private let known = Mutex<DescriptionIndex?>(nil)
  /// Whether a part of the file may have a URI of its own. Then the index is needed.
  let mayNameParts: Bool

  package var path: String { source.name }

  /// Parses the bytes of a file. A text whose first character is `{` is JSON, or else YAML in brackets.
  /// - Complexity: O(n).
  init(path: String, bytes: [UInt8]) throws(DescriptionProblem) {
    source = SourceFile(name: path, bytes: bytes)
    mayNameParts = Self.mayNameParts(bytes)
    let start = bytes.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
    var refusal: (message: String, offset: Int)?
    if start == UInt8(ascii: "{") {
      do {
        root = try JSONDocument.parse(bytes).root
        yaml = nil
        return
      } catch {
        refusal = (error.message, error.range.lowerBound)
      }
    }
    do {
      let document = try YAMLDocument.parse(bytes)
      yaml = document
      root = document.document.root
    } catch {
      let (message, offset) = refusal ?? (error.message, error.range.lowerBound)
      throw DescriptionProblem(
        path: path, place: .init(source.position(at: offset)), message: message)
    }
  }

  private static func mayNameParts(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
      rest = rest[(dollar + 1)...]
      if rest.starts(with: "id".utf8) || rest.starts(with: "self".utf8) { return true }
    }
    return false
  }

  /// The names of its parts.
  /// - Complexity: The first time O(values in the file), later O(1).
  var index: DescriptionIndex {
    if let made = known.withLock({ $0 }) { return made }
    let made = DescriptionIndex(root)
    known.withLock { $0 = made }
    return made
  }

  /// Duplicate keys and merge keys of YAML, at most a hundred. The file can be read all the same.
  package var problems: [DescriptionProblem] {
    (yaml?.problems ?? []).prefix(100).map {
      DescriptionProblem(
        path: path, place: .init(source.position(at: $0.range.lowerBound)), message: $0.message)
    }
  }

  /// The bytes of the file that a value of it is written in.
  package func range(of node: JSONNode) -> Range<Int> { yaml?.range(of: node) ?? node.range }

  /// The line in the file of a value of it.
  /// - Complexity: O(log lines), except the first time, which reads the file.
  package func line(of node: JSONNode) -> Int {
    source.position(at: range(of: node).lowerBound).line
  }
}

/// A value of a description, with the file that holds it.
package struct DescribedNode: Sendable {
  package let node: JSONNode
  package let file: DescriptionFile

  /// The member of this name.
  package subscript(_ name: String) -> DescribedNode? {
    node[name].map { DescribedNode(node: $0, file: file) }
  }

  /// What tells the value from all others.
  var place: Place { Place(file: ObjectIdentifier(file), index: node.index) }

  struct Place: Hashable {
    let file: ObjectIdentifier
    let index: Int
  }

  /// The file and the line, as in `petstore.yaml:41`.
  package var position: String { "\(file.path):\(file.line(of: node))" }

  /// The line of the value's beginning, as a place that a finding is related to.
  package func related(_ message: String) -> Diagnostic.Related {
    let range = file.range(of: node)
    let line = file.source.line(file.source.position(at: range.lowerBound).line)
    let end = max(range.lowerBound, min(range.upperBound, line.upperBound))
    return Diagnostic.Related(
      range: range.lowerBound..<end, message: message, file: file.source)
  }
}
