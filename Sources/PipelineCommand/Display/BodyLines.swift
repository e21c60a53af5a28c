internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText

/// The body of a response as lines for people: JSON indented, with marks at the nodes that queries
/// selected. Long lists and texts are cut.
struct BodyLines {
  /// Names of the values found, by the normalized path of the node.
  private let marks: [ExactText: [String]]
  private(set) var lines: [Line] = []
  private var current = Line()

  /// How many elements of a list are shown.
  private static let mostElements = 12
  /// How many bytes of a text are shown.
  private static let longestText = 240
  private static let mostLines = 400

  /// The lines of a body.
  ///
  /// - Parameters:
  ///   - body: The body's bytes.
  ///   - type: Its media type, for bytes that are not text.
  ///   - found: The values that extractors found in it.
  static func lines(
    of body: [UInt8], type: String?, found: [(name: String, paths: [String])]
  ) -> [Line] {
    if body.isEmpty { return [Line("(no body)", .dim)] }
    if let document = try? JSONDocument.parse(body) {
      var marks: [ExactText: [String]] = [:]
      for (name, paths) in found {
        for path in paths { marks[ExactText(path), default: []].append(name) }
      }
      var text = BodyLines(marks: marks)
      text.add(document.root, at: "$", depth: 0, end: "")
      text.endLine()
      return text.bounded
    }
    guard let text = String(validating: body, as: UTF8.self), !body.contains(0) else {
      return [Line("(\(body.count.byteText) of \(type ?? "bytes"))", .dim)]
    }
    var lines = text.split(ascii: "\n", omittingEmptySubsequences: false).map {
      Line(Self.cut(String($0)))
    }
    if lines.last == Line() { lines.removeLast() }
    return BodyLines(lines: lines).bounded
  }

  private init(marks: [ExactText: [String]] = [:], lines: [Line] = []) {
    self.marks = marks
    self.lines = lines
  }

  private var bounded: [Line] {
    guard lines.count > Self.mostLines else { return lines }
    let rest = (lines.count - Self.mostLines).counting("more line")
    return lines.prefix(Self.mostLines) + [Line("… \(rest)", .dim)]
  }

  private mutating func endLine() {
    lines.append(current)
    current = Line()
  }

  private mutating func beginLine(_ depth: Int) {
    current.append(String(repeating: "  ", count: depth))
  }

  /// Adds a value to the line that was begun; `end` follows it.
  private mutating func add(_ node: JSONNode, at path: String, depth: Int, end: String) {
    let names = marks[ExactText(path)]
    switch node.kind {
    case .object where node.count > 0, .array where node.count > 0:
      current.append(node.kind == .object ? "{" : "[")
      mark(names)
      if node.kind == .object {
        addMembers(of: node, at: path, depth: depth)
      } else {
        addElements(of: node, at: path, depth: depth)
      }
      endLine()
      beginLine(depth)
      current.append((node.kind == .object ? "}" : "]") + end)
    case .string:
      current.append(Self.cut(node.text), names == nil ? .good : .found)
      current.append(end)
      mark(names)
    default:
      current.append(node.text, names == nil ? .busy : .found)
      current.append(end)
      mark(names)
    }
  }

  private mutating func addMembers(of node: JSONNode, at path: String, depth: Int) {
    for (position, member) in node.members.enumerated() {
      endLine()
      beginLine(depth + 1)
      current.append("\"\(member.name)\"", .plain)
      current.append(": ")
      add(
        member.value, at: path + "[" + NormalizedPath.quoted(member.name) + "]", depth: depth + 1,
        end: position + 1 < node.count ? "," : "")
    }
  }

  private mutating func addElements(of node: JSONNode, at path: String, depth: Int) {
    for (position, element) in node.elements.prefix(Self.mostElements).enumerated() {
      endLine()
      beginLine(depth + 1)
      add(
        element, at: path + "[\(position)]", depth: depth + 1,
        end: position + 1 < node.count ? "," : "")
    }
    guard node.count > Self.mostElements else { return }
    endLine()
    beginLine(depth + 1)
    current.append("… \((node.count - Self.mostElements).grouped) more", .dim)
  }

  private mutating func mark(_ names: [String]?) {
    if let names { current.append("  ← " + names.joined(separator: ", "), .found) }
  }

  private static func cut(_ text: String) -> String {
    guard text.utf8.count > longestText else { return text }
    let shown = String(decoding: text.utf8.prefix(longestText), as: UTF8.self)
    return shown + "… (\(text.utf8.count.byteText))"
  }
}
