package import PipelineJSONText
internal import PipelineYAMLText

/// A file of a description, in JSON or YAML.
package final class DescriptionFile: Sendable {
  /// The path as the author gave it, or as a reference in another file leads to it.
  package let path: String
  /// The whole value.
  package let root: JSONNode
  /// The text of a YAML file; `nil` for JSON, whose places are those of its nodes.
  private let yaml: YAMLDocument?
  private let bytes: [UInt8]

  /// Parses the bytes of a file. A text whose first character is `{` is JSON, or else YAML in brackets.
  /// - Complexity: O(n).
  init(path: String, bytes: [UInt8]) throws(DescriptionProblem) {
    self.path = path
    self.bytes = bytes
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
      throw DescriptionProblem(path: path, place: .init(offset, in: bytes), message: message)
    }
  }

  /// Duplicate keys and merge keys of YAML, at most a hundred. The file can be read all the same.
  package var problems: [DescriptionProblem] {
    (yaml?.problems ?? []).prefix(100).map {
      DescriptionProblem(
        path: path, place: .init($0.range.lowerBound, in: bytes), message: $0.message)
    }
  }

  /// The line in the file of a value of it.
  /// - Complexity: O(n) of the file.
  package func line(of node: JSONNode) -> Int {
    DescriptionProblem.Place(
      yaml?.range(of: node).lowerBound ?? node.range.lowerBound, in: bytes
    ).line
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
}
