import PipelineJSONText
package import PipelineLint

/// A path that a file names.
package struct FileLink: Sendable {
  /// The bytes of the path, without its quotes.
  package let range: Range<Int>
  package let path: String
}

extension WorkflowAnalysis {
  /// The objects and lists of the file, each before what is in it.
  package var foldingRanges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    walk(document.root) { node, _ in
      if node.kind == .object || node.kind == .array, node.count > 0 { ranges.append(node.range) }
    }
    return ranges
  }

  /// The values and members around a byte, the innermost first.
  package func enclosingRanges(at offset: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var node: JSONNode? = document.root
    while let current = node, Self.holds(current.range, offset) {
      ranges.append(current.range)
      node = nil
      if current.kind == .object {
        for member in current.members {
          let whole =
            member.nameRange
            .lowerBound..<max(
              member.nameRange.upperBound, member.value.range.upperBound)
          guard Self.holds(whole, offset) else { continue }
          ranges.append(whole)
          if Self.holds(member.nameRange, offset) { ranges.append(member.nameRange) }
          node = member.value
        }
      } else if current.kind == .array {
        node = current.elements.first { Self.holds($0.range, offset) }
      } else if current.kind == .string, current.range.count >= 2 {
        let inside = current.range.lowerBound + 1..<current.range.upperBound - 1
        if Self.holds(inside, offset) { ranges.append(inside) }
      }
    }
    var distinct: [Range<Int>] = []
    for range in ranges where range != distinct.last { distinct.append(range) }
    return distinct.reversed()
  }

  /// The files that the file names without a template.
  package var links: [FileLink] {
    var links: [FileLink] = []
    walk(document.root) { node, name in
      guard let name, ["workflow", "extends", "$file", "$schema"].contains(name),
        let path = node.string, !path.isEmpty, !path.utf8.contains(UInt8(ascii: "{")),
        !path.utf8.contains(UInt8(ascii: ":"))
      else { return }
      let range = node.range
      links.append(
        FileLink(
          range: range.lowerBound + 1..<max(range.lowerBound + 1, range.upperBound - 1), path: path)
      )
    }
    return links
  }

  private static func holds(_ range: Range<Int>, _ offset: Int) -> Bool {
    range.lowerBound <= offset && offset <= range.upperBound
  }

  /// Visits every value with the name that it has in the object around it.
  private func walk(_ root: JSONNode, _ visit: (JSONNode, String?) -> Void) {
    var open: [(JSONNode, String?)] = [(root, nil)]
    while let (node, name) = open.popLast() {
      visit(node, name)
      if node.kind == .object {
        open += node.members.map { ($0.value, $0.name) }.reversed()
      } else if node.kind == .array {
        open += node.elements.map { ($0, nil) }.reversed()
      }
    }
  }
}
