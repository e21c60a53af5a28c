import PipelineByteText
import PipelineJSONText
package import PipelineLint
package import PipelineSourceText

extension WorkflowAnalysis {
  /// The kind of input that a value becomes.
  package enum NewInput: Sendable, CaseIterable {
    /// With the value as its default.
    case plain
    /// Without it: it comes from a variable of the environment, and is never shown.
    case secret
  }

  /// The change that makes an input of the value at a place.
  ///
  /// - Parameter reanalysed: The analysis of the file with other bytes.
  /// - Returns: `nil` if nothing there is a value that an input may give.
  package func makingInput(
    _ kind: NewInput, at offset: Int, reanalysed: ([UInt8]) -> WorkflowAnalysis
  ) -> DiagnosticFix? {
    guard document.root.kind == .object, document.root["steps"] != nil,
      let (node, key) = scalar(at: offset), !isInInputs(offset),
      let type = Self.type(of: node, kind), let name = newName(for: key)
    else { return nil }
    let declaration =
      kind == .secret
      ? "{ \"type\": \"string\", \"secret\": true, \"env\": \"\(Self.variable(name))\" }"
      : "{ \"type\": \"\(type)\", \"default\": \(node.text) }"
    let message =
      kind == .secret
      ? "make it the secret input '\(name)', from $\(Self.variable(name))"
      : "make it the input '\(name)'"
    let edits = [
      declaring("\"\(name)\": \(declaration)"),
      DiagnosticFix.Edit(range: node.range, replacement: "\"{{inputs.\(name)}}\""),
    ]
    let fix = DiagnosticFix(message: message, edits: edits, isSafe: false)
    let (bytes, count) = file.applying([fix])
    let after = reanalysed(bytes)
    let isWorse =
      after.findings.contains { $0.severity == .error }
      || after.findings.count { $0.severity != .note }
        > findings.count { $0.severity != .note }
    // Only in a text that may hold a template is the input read.
    let isRead = !after.findings.contains {
      $0.code == "unused-input" && $0.message.contains(bytes: "'\(name)'")
    }
    return count > 0 && !isWorse && isRead ? fix : nil
  }

  private static func type(of node: JSONNode, _ kind: NewInput) -> String? {
    switch node.kind {
    case .string:
      guard let text = node.string, !text.isEmpty, !text.contains(bytes: "{{"),
        !text.hasPrefix(bytes: "$"), !text.hasPrefix(bytes: "@")
      else { return nil }
      return "string"
    case .number:
      let isWhole = !node.text.utf8.contains { [0x2E, 0x65, 0x45].contains($0) }
      return kind == .secret ? nil : isWhole ? "integer" : "number"
    case .boolean: return kind == .secret ? nil : "boolean"
    case .null, .object, .array: return nil
    }
  }

  /// The scalar at a place, and the key that it is under.
  private func scalar(at offset: Int) -> (node: JSONNode, key: String)? {
    var node = document.root
    var key = ""
    while true {
      switch node.kind {
      case .object:
        guard let member = node.members.first(where: { $0.value.range.contains(offset) }) else {
          return nil
        }
        key = member.name
        node = member.value
      case .array:
        guard let element = node.elements.first(where: { $0.range.contains(offset) }) else {
          return nil
        }
        node = element
      case .string, .number, .boolean, .null: return (node, key)
      }
    }
  }

  private func isInInputs(_ offset: Int) -> Bool {
    ["inputs", "environments", "state"].contains {
      document.root[$0]?.range.contains(offset) ?? false
    }
  }

  /// A name that no input has: of the key, in the form of names.
  private func newName(for key: String) -> String? {
    var bytes: [UInt8] = []
    for byte in key.utf8 {
      let isLetter = byte == UInt8(ascii: "_") || (0x41...0x5A).contains(byte & 0xDF)
      if isLetter || (!bytes.isEmpty && (0x30...0x39).contains(byte)) {
        bytes.append(byte)
      } else if !bytes.isEmpty, bytes.last != UInt8(ascii: "_") {
        bytes.append(UInt8(ascii: "_"))
      }
    }
    while bytes.last == UInt8(ascii: "_") { bytes.removeLast() }
    guard !bytes.isEmpty else { return nil }
    let name = String(decoding: bytes, as: UTF8.self)
    let taken = document.root["inputs"]
    if taken?[name] == nil { return name }
    return (2...99).lazy.map { "\(name)\($0)" }.first { taken?[$0] == nil }
  }

  /// `X-Api-Key` gives `X_API_KEY`.
  private static func variable(_ name: String) -> String { name.uppercased() }

  /// The edit that adds an input.
  private func declaring(_ member: String) -> DiagnosticFix.Edit {
    let owner = document.root["inputs"].flatMap { $0.kind == .object ? $0 : nil }
    let node = owner ?? document.root
    let text = owner == nil ? "\"inputs\": { \(member) }" : member
    let place = node.range.lowerBound + 1
    guard let first = node.members.first(where: { _ in true })?.nameRange.lowerBound else {
      return DiagnosticFix.Edit(range: place..<place, replacement: " \(text) ")
    }
    // As the first member, with the white space before the one that it precedes.
    return DiagnosticFix.Edit(
      range: place..<place, replacement: file.text(place..<first) + text + ",")
  }
}
