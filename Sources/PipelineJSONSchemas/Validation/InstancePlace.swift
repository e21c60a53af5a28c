import PipelineJSONPaths
import PipelineJSONText

/// The path to a value from the validated one, as standards and as people write it.
struct InstancePlace {
  /// `$['data']['first name'][0]` (RFC 9535 §2.7).
  private(set) var normalized = "$"
  /// `$.data['first name'][0]`.
  private(set) var short = "$"

  /// - Parameter target: The tape index of a value, or of a member's name: then the way to the member.
  /// - Complexity: O(values beside the way).
  init(of target: Int, from root: Int, in document: JSONDocument) {
    var index = root
    while index < target, target < document.endIndex(of: index) {
      let isObject = document.element(at: index).isObject
      var child = document.firstChild(of: index)
      var position = 0
      while true {
        let next = document.next(after: isObject ? child + 1 : child)
        if target < next { break }
        child = next
        position += 1
      }
      append(isObject ? document.string(at: child) : nil, position)
      index = isObject ? child + 1 : child
    }
  }

  private mutating func append(_ name: String?, _ position: Int) {
    guard let name else {
      normalized += "[\(position)]"
      short += "[\(position)]"
      return
    }
    let quoted = "[" + NormalizedPath.quoted(name) + "]"
    normalized += quoted
    short += Self.isShorthand(name) ? "." + name : quoted
  }

  /// `member-name-shorthand` of RFC 9535 §2.5.1.1, its ASCII part.
  private static func isShorthand(_ name: String) -> Bool {
    guard let first = name.utf8.first, !Scanner.isDigit(first) else { return false }
    return name.utf8.allSatisfy { Scanner.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
  }
}
