import PipelineByteText
import PipelineJSONText
package import PipelineLint
package import PipelineSourceText

/// Steps that become a file of their own, which a step in their place runs.
///
/// What the steps read of the rest becomes inputs of the new file, and what the rest reads of them
/// its outputs. Of a step that sends one request single values are passed, of any other all of it.
package struct StepExtraction {
  /// The id of the step that runs the new file: that of the first step.
  package let id: String
  /// The new file's path from the old one.
  package let path: String
  /// The new file, without a layout.
  package private(set) var content = ""
  /// What changes in the old one.
  package private(set) var edits: [DiagnosticFix.Edit] = []

  private let analysis: WorkflowAnalysis
  private let steps: [JSONNode]
  private let ids: [String]
  private let region: Range<Int>
  /// What the new file has as well.
  private let shared: [Range<Int>]
  private var inputs = NamedTexts()
  private var outputs = NamedTexts()
  private var copyEdits: [DiagnosticFix.Edit] = []

  /// Texts by unique names, in their order.
  private struct NamedTexts {
    private(set) var all: [(name: String, text: String)] = []
    private var names: [String: String] = [:]

    /// The name under which the text is kept.
    mutating func name(for text: String, _ proposals: [String]) -> String {
      if let name = names[text] { return name }
      let free = (proposals + (2...9_999).lazy.map { "\(proposals[0])\($0)" })
        .first { name in !all.contains { $0.name.equals(bytes: name) } }
      let name = free ?? proposals[0]
      names[text] = name
      all.append((name, text))
      return name
    }
  }

  /// - Parameters:
  ///   - selection: Bytes of the file; the steps of the file that they touch are meant.
  ///   - path: The new file's path from the old one, by the id of the step that runs it; `nil` if
  ///     there is none.
  /// - Returns: `nil` if no steps are meant, or if they cannot be in another file.
  package init?(
    _ analysis: WorkflowAnalysis, _ selection: Range<Int>, to path: (_ id: String) -> String?
  ) {
    let root = analysis.document.root
    guard let list = root["steps"], list.kind == .array,
      !analysis.findings.contains(where: { $0.severity == .error })
    else { return nil }
    steps = list.elements.filter {
      $0.range.lowerBound < selection.upperBound && selection.lowerBound < $0.range.upperBound
    }
    ids = steps.compactMap { $0["id"]?.string }
    guard let first = steps.first, let last = steps.last, ids.count == steps.count else {
      return nil
    }
    id = ids[0]
    guard let path = path(id) else { return nil }
    self.path = path
    region = first.range.lowerBound..<last.range.upperBound
    self.analysis = analysis
    shared = root["defaults"].map { [$0.range] } ?? []
    guard divide() else { return nil }
    content = newFile(root)
    edits.append(DiagnosticFix.Edit(range: region, replacement: call))
  }

  // MARK: What is read across the border

  private mutating func divide() -> Bool {
    let all = analysis.allOccurrences
    var values: [Int: String] = [:]
    for occurrences in all {
      if case .value = occurrences.kind {
        for read in occurrences.reads { values[read.lowerBound] = occurrences.name }
      }
    }
    for occurrences in all {
      let reads = occurrences.reads
      switch occurrences.kind {
      case .input:
        guard reads.contains(where: isCopied) else { continue }
        _ = inputs.name(for: "inputs." + occurrences.name, [occurrences.name])
      case .state:
        // A called file keeps none.
        if (reads + occurrences.definitions).contains(where: isCopied) { return false }
      case .step(let step) where !step.contains(bytes: "."):
        let isInside = ids.contains { $0.equals(bytes: step) }
        for read in reads where !(isInside ? isInRegion(read) : !isCopied(read)) {
          guard analysis.key(at: read.lowerBound) != "dependsOn" || isInside else { return false }
          let value = read.upperBound + 1
          let isWhole = isCollection(step) || byte(read.upperBound) != UInt8(ascii: ".")
          pass(step, isWhole ? nil : values[value], read, isInside)
        }
      case .step, .environment, .output, .item, .value: break
      }
    }
    return true
  }

  /// Gives a value of a step another name where it is read.
  private mutating func pass(
    _ step: String, _ value: String?, _ read: Range<Int>, _ isInside: Bool
  ) {
    let source = step + (value.map { "." + $0 } ?? "")
    let end = read.upperBound + (value.map { $0.utf8.count + 1 } ?? 0)
    let proposals = [value ?? step, step + (value.map { "_" + $0 } ?? "")]
    if isInside {
      guard analysis.key(at: read.lowerBound) != "dependsOn" else {
        edits.append(DiagnosticFix.Edit(range: read, replacement: id))
        return
      }
      let name = outputs.name(for: source, proposals)
      // Shared text is read in both files, and in the new one it reads the step itself.
      edits.append(DiagnosticFix.Edit(range: read.lowerBound..<end, replacement: id + "." + name))
    } else {
      let name = inputs.name(for: source, proposals)
      copyEdits.append(
        DiagnosticFix.Edit(range: read.lowerBound..<end, replacement: "inputs." + name))
    }
  }

  private func isInRegion(_ range: Range<Int>) -> Bool { region.contains(range.lowerBound) }

  private func isCopied(_ range: Range<Int>) -> Bool {
    isInRegion(range) || shared.contains { $0.contains(range.lowerBound) }
  }

  private func byte(_ offset: Int) -> UInt8? {
    offset < analysis.file.bytes.count ? analysis.file.bytes[offset] : nil
  }

  private func isCollection(_ step: String) -> Bool {
    let steps = analysis.document.root["steps"].map { Array($0.elements) } ?? []
    let finally = analysis.document.root["finally"].map { Array($0.elements) } ?? []
    return (steps + finally).first { $0["id"]?.string?.equals(bytes: step) ?? false }?["forEach"]
      != nil
  }

  // MARK: Texts

  private func newFile(_ root: JSONNode) -> String {
    var members: [String] = []
    for key in ["$schema", "format", "extends", "order", "timeZone"] {
      if let value = root[key] { members.append("\"\(key)\": \(copy(value.range))") }
    }
    if !inputs.all.isEmpty {
      members.append("\"inputs\": { " + inputs.all.map(declaration).joined(separator: ", ") + " }")
    }
    if let defaults = root["defaults"] {
      members.append("\"defaults\": \(copy(defaults.range))")
    }
    members.append("\"steps\": [\(copy(region))]")
    if !outputs.all.isEmpty {
      let fields = outputs.all.map { "\"\($0.name)\": \(reading($0.text))" }
      members.append("\"outputs\": { " + fields.joined(separator: ", ") + " }")
    }
    return "{ " + members.joined(separator: ", ") + " }"
  }

  /// The bytes of a part as they are in the new file.
  private func copy(_ part: Range<Int>) -> String {
    let edits = copyEdits.filter { part.contains($0.range.lowerBound) }
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
    var text = ""
    var place = part.lowerBound
    for edit in edits {
      text += analysis.file.text(place..<edit.range.lowerBound) + edit.replacement
      place = edit.range.upperBound
    }
    return text + analysis.file.text(place..<part.upperBound)
  }

  private func declaration(_ input: (name: String, text: String)) -> String {
    let own = "inputs."
    if input.text.hasPrefix(bytes: own),
      let node = analysis.document.root["inputs"]?[
        String(input.text.dropFirst(bytes: own.utf8.count))]
    {
      // The variable of the environment is the caller's.
      guard node.kind == .object else { return "\"\(input.name)\": \(node.text)" }
      let members = node.members.filter { $0.name != "env" }.map {
        "\"\($0.name)\": " + analysis.file.text($0.value.range)
      }
      return "\"\(input.name)\": { " + members.joined(separator: ", ") + " }"
    }
    let (type, isSecret) = analysis.inputType(for: input.text)
    let members =
      (type.map { ["\"type\": \"\($0)\""] } ?? []) + (isSecret ? ["\"secret\": true"] : [])
    return "\"\(input.name)\": "
      + (members.isEmpty ? "{}" : "{ " + members.joined(separator: ", ") + " }")
  }

  private var call: String {
    var text = "{ \"id\": \"\(id)\", \"workflow\": \"\(path)\""
    if !inputs.all.isEmpty {
      let fields = inputs.all.map { "\"\($0.name)\": \(reading($0.text))" }
      text += ", \"inputs\": { " + fields.joined(separator: ", ") + " }"
    }
    return text + " }"
  }

  private func reading(_ path: String) -> String {
    isCollection(path) ? "\"$.\(path)[*]\"" : "\"{{\(path)}}\""
  }
}
