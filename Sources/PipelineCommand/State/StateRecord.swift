internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineSourceText

/// The content of a state file.
struct StateRecord: Sendable, Hashable {
  /// The workflow's name.
  var workflow: String?
  var environment: String?
  /// When it was written, in the form of RFC 3339.
  var updated: String?
  /// The values, by name.
  var state: [String: JSONValue] = [:]

  private static let format = 1
  /// The maximum size of a state file, in bytes.
  static let sizeLimit = 256 << 20

  init(workflow: String?, environment: String?) {
    self.workflow = workflow
    self.environment = environment
  }

  /// Reads a file.
  ///
  /// - Parameter path: The file's name, for messages.
  init(_ bytes: [UInt8], path: String) throws(StateProblem) {
    let file = SourceFile(name: path, bytes: bytes)
    let (document, problems) = JSONDocument.parseRecovering(bytes)
    var lines: [String] = []
    func report(_ message: String, at offset: Int) {
      let position = file.position(at: offset)
      lines.append("\(path):\(position.line):\(position.column): error: \(message)\n")
    }
    for problem in problems { report(problem.message, at: problem.range.lowerBound) }
    if problems.isEmpty { read(document.root, report) }
    guard lines.isEmpty else {
      throw StateProblem(
        message: "the state in '\(path)' cannot be read; fix the file, or remove it with"
          + " 'pipeline state FILE clear'", lines: lines.prefix(20).joined(), status: .invalid)
    }
  }

  private mutating func read(_ root: JSONNode, _ report: (String, Int) -> Void) {
    guard root.kind == .object else {
      report(
        "a state file must be an object: {\"format\": 1, \"state\": {…}}", root.range.lowerBound)
      return
    }
    for member in root.members {
      let (name, node) = (member.name, member.value)
      let place = node.range.lowerBound
      switch name {
      case "format":
        guard let format = node.number?.int, format >= 1 else {
          report("'format' must be the number 1", place)
          continue
        }
        if format > Self.format {
          report("format \(format) needs a newer pipeline; this one reads format 1", place)
        }
      case "workflow": workflow = text(node, name, report)
      case "environment": environment = text(node, name, report)
      case "updated": updated = text(node, name, report)
      case "state":
        guard node.kind == .object else {
          report("'state' must be an object of names and values", place)
          continue
        }
        for value in node.members { state[value.name] = JSONValue(value.value) }
      default:
        report("a state file has no member '\(name)'", member.nameRange.lowerBound)
      }
    }
    for name in ["format", "state"] where root[name] == nil {
      report("a state file needs the member '\(name)'", root.range.lowerBound)
    }
  }

  private func text(
    _ node: JSONNode, _ name: String, _ report: (String, Int) -> Void
  ) -> String? {
    if node.string == nil { report("'\(name)' must be a text", node.range.lowerBound) }
    return node.string
  }

  /// The file's text.
  var text: [UInt8] {
    var writer = JSONWriter(style: .pretty)
    writer.beginObject()
    writer.name("format")
    writer.integer(Self.format)
    for (name, text) in [
      ("workflow", workflow), ("environment", environment), ("updated", updated),
    ] {
      guard let text else { continue }
      writer.name(name)
      writer.string(text)
    }
    writer.name("state")
    writer.beginObject()
    for (name, value) in state.sorted(by: { $0.key < $1.key }) {
      writer.name(name)
      writer.value(value.node)
    }
    writer.endObject()
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// Why this is not the state of a workflow; `nil` if it may be.
  ///
  /// - Parameter isNamed: Whether the user named the file, so its path proves nothing.
  func mismatch(_ name: String, environment: String?, path: String, isNamed: Bool) -> StateProblem?
  {
    func problem(_ what: String) -> StateProblem {
      StateProblem(
        message: "'\(path)' holds the state of \(what); name another file", status: .invalid)
    }
    if isNamed, let workflow, !workflow.equals(bytes: name) {
      return problem("workflow '\(workflow)', but this is '\(name)'")
    }
    // A file that a person wrote may leave out optional members.
    guard workflow != nil || self.environment != nil else { return nil }
    switch (self.environment, environment) {
    case (let one?, let other?) where one.equals(bytes: other): return nil
    case (nil, nil): return nil
    case (let one, let other):
      let words = { (name: String?) in name.map { "environment '\($0)'" } ?? "no environment" }
      return problem("\(words(one)), but this run has \(words(other))")
    }
  }
}
