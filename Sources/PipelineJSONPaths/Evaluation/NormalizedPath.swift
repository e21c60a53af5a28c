internal import PipelineJSONText

/// Normalized paths (RFC 9535 §2.7): one spelling for the place of a node.
package enum NormalizedPath {
  /// A member's name in single quotes, escaped only if the standard says so.
  package static func quoted(_ name: String) -> String {
    var quoted = "'"
    for scalar in name.unicodeScalars {
      switch scalar {
      case "'": quoted += "\\'"
      case "\\": quoted += "\\\\"
      case "\u{8}": quoted += "\\b"
      case "\u{9}": quoted += "\\t"
      case "\u{A}": quoted += "\\n"
      case "\u{C}": quoted += "\\f"
      case "\u{D}": quoted += "\\r"
      case "\0"..<"\u{20}":
        quoted += scalar.value < 0x10 ? "\\u000" : "\\u00"
        quoted += String(scalar.value, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "'"
  }
}

extension NormalizedPath {
  /// A container on the way to a node, and the child that was reached in it.
  fileprivate struct Frame {
    let end: Int
    let isObject: Bool
    /// The length of the container's own path.
    let pathLength: Int
    var child: Int
    var position = 0
  }

  /// The paths of nodes at or below `root`, in the order of `indexes`, each after `prefix`.
  ///
  /// The document is walked once, past all that holds no such node.
  static func paths(
    of indexes: [Int], below root: Int, in document: JSONDocument, prefix: String
  ) -> [String] {
    var paths: [Int: String] = [:]
    var path = Array(prefix.utf8)
    var frames: [Frame] = []
    if document.element(at: root).isContainer {
      frames.append(Frame(root, in: document, pathLength: path.count))
    }
    for target in Set(indexes).sorted() {
      guard target != root else {
        paths[target] = prefix
        continue
      }
      while let frame = frames.last, target >= frame.end { frames.removeLast() }
      while var frame = frames.popLast() {
        frame.advance(to: target, in: document)
        frames.append(frame)
        path.removeSubrange(frame.pathLength...)
        path.append(contentsOf: frame.step(in: document).utf8)
        if frame.child >= target { break }
        frames.append(Frame(frame.child, in: document, pathLength: path.count))
      }
      paths[target] = String(decoding: path, as: UTF8.self)
    }
    return indexes.map { paths[$0] ?? prefix }
  }
}

extension NormalizedPath.Frame {
  fileprivate init(_ container: Int, in document: JSONDocument, pathLength: Int) {
    isObject = document.element(at: container).isObject
    end = document.endIndex(of: container)
    self.pathLength = pathLength
    child = document.firstChild(of: container) + (isObject ? 1 : 0)
  }

  /// Goes on to the child that is the node at `target` or holds it.
  fileprivate mutating func advance(to target: Int, in document: JSONDocument) {
    while true {
      let next = document.next(after: child)
      guard next <= target else { return }
      child = next + (isObject ? 1 : 0)
      position += 1
    }
  }

  /// The child's part of a path: `['name']` or `[0]`.
  fileprivate func step(in document: JSONDocument) -> String {
    isObject
      ? "[" + NormalizedPath.quoted(document.string(at: child - 1)) + "]" : "[\(position)]"
  }
}
