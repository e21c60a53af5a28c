internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRecordings

/// The path of one value in a body, as `JSONDifference.path` writes it: `$.data[3].id`.
struct ResponsePath {
  /// A path with one position left open.
  struct Open: Hashable {
    let list: String
    let index: Int
    let rest: String
  }

  private enum Part {
    case name(String)
    case index(Int)
  }

  private let parts: [Part]

  init(_ text: String) {
    var cursor = ScriptCursor(String(text.dropFirst(bytes: 1)))
    var parts: [Part] = []
    while !cursor.isAtEnd {
      if cursor.take("."), let name = cursor.takeName() {
        parts.append(.name(name))
      } else if cursor.take("[") {
        if let name = cursor.takeString() {
          parts.append(.name(name))
        } else if let number = cursor.takeLiteral().flatMap({ Int($0) }) {
          parts.append(.index(number))
        } else {
          break
        }
        guard cursor.take("]") else { break }
      } else {
        break
      }
    }
    self.parts = parts
  }

  private static func text(_ parts: some Sequence<Part>, after start: String) -> String {
    parts.reduce(start) { path, part in
      switch part {
      case .name(let name): JSONDifference.path(path, name)
      case .index(let index): path + "[\(index)]"
      }
    }
  }

  /// The path with each of its positions left open.
  var opened: [Open] {
    parts.enumerated().compactMap { number, part in
      guard case .index(let index) = part else { return nil }
      return Open(
        list: Self.text(parts[..<number], after: "$"), index: index,
        rest: Self.text(parts[(number + 1)...], after: ""))
    }
  }

  /// The value at the path; `nil` if there is none.
  func value(in root: JSONNode) -> JSONNode? {
    var node: JSONNode? = root
    for part in parts {
      switch part {
      case .name(let name): node = node?[name]
      case .index(let index): node = node?[index]
      }
    }
    return node
  }
}
