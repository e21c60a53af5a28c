import PipelineByteText
package import PipelineJSONText
package import PipelineLint
package import PipelineSourceText

/// The places of a workflow's name in another file: one that runs the workflow, builds on it, tests
/// it, or has its recorded requests.
package struct RelatedFile {
  /// The file whose name changes.
  let occurrences: WorkflowOccurrences
  /// Whether a path, as it is written in the related file, names that file.
  let isMeant: (String) -> Bool

  package init(_ occurrences: WorkflowOccurrences, isMeant: @escaping (String) -> Bool) {
    self.occurrences = occurrences
    self.isMeant = isMeant
  }

  // MARK: Workflows

  /// The places in a workflow that runs the file or builds on it.
  package func places(inWorkflow analysis: WorkflowAnalysis) -> [Range<Int>] {
    let root = analysis.document.root
    let name = occurrences.name
    var found: [Range<Int>] = []
    switch occurrences.kind {
    case .input:
      walk(root) { node in
        guard let path = node["workflow"]?.string, isMeant(path), let inputs = node["inputs"]
        else { return }
        found += members(name, of: inputs)
      }
    case .output:
      for caller in analysis.callers(of: isMeant) {
        found += analysis.occurrences(of: .value(step: caller), name)?.all ?? []
      }
    case .state, .environment, .item, .step, .value: break
    }
    guard root["extends"]?.string.map(isMeant) ?? false else { return found }
    switch occurrences.kind {
    case .input, .environment:
      return found + (analysis.occurrences(of: occurrences.kind, name)?.all ?? [])
    case .state, .output, .item, .step, .value: return found
    }
  }

  // MARK: Test files

  /// The places in a file of tests.
  ///
  /// - Parameter paths: The steps that lead from the tested file to the one whose name changes. An
  ///   empty path: it is the tested file itself.
  package func places(inTests root: JSONNode, _ file: SourceFile, below paths: [String])
    -> [Range<Int>]
  {
    let name = occurrences.name
    var found: [Range<Int>] = []
    let tests = root["tests"].map { Array($0.elements) } ?? []
    for path in paths {
      for test in tests {
        found += places(inTest: test, file, path)
        if path.isEmpty { found += ownPlaces(of: name, in: test, file) }
      }
      found += secrets(in: root, file, path)
    }
    return found
  }

  /// What a test says of the file that it tests.
  private func ownPlaces(of name: String, in test: JSONNode, _ file: SourceFile) -> [Range<Int>] {
    let expected = test["expect"]
    switch occurrences.kind {
    case .input: return members(name, of: test["inputs"])
    case .environment:
      return test["environment"].flatMap { content(of: $0, name) }.map { [$0] } ?? []
    case .state:
      return members(name, of: test["state"]) + members(name, of: expected?["state"])
        + reads("$.state.", name, in: expected, file)
    case .output:
      return members(name, of: expected?["outputs"]) + reads("$.outputs.", name, in: expected, file)
    case .item, .step, .value: return []
    }
  }

  /// What a test says of steps.
  private func places(inTest test: JSONNode, _ file: SourceFile, _ path: String) -> [Range<Int>] {
    let before = path.isEmpty ? "" : path + "."
    var found: [Range<Int>] = []
    switch occurrences.kind {
    case .step(let step):
      let step = before + step
      for member in test["respond"].map({ Array($0.members) }) ?? [] {
        found += mentions(step, in: contentRange(member.nameRange), file)
      }
      let expected = test["expect"]
      for failure in expected?["failures"].map({ Array($0.elements) }) ?? [] {
        if let node = failure["step"] {
          found += mentions(step, in: contentRange(node.range), file)
        }
      }
      for mark in ["$.requests", "$.steps"] {
        found += reads(mark + ".", step, in: expected, file)
        for end in ["']", "."] {
          found += reads(mark + "['", step + end, in: expected, file)
            .map { $0.lowerBound..<$0.upperBound - end.utf8.count }
        }
      }
      // Only the last id is the step's own.
      return found.map { $0.upperBound - occurrences.name.utf8.count..<$0.upperBound }
    case .value(let step):
      let step = before + step
      for member in test["respond"].map({ Array($0.members) }) ?? []
      where member.name.equals(bytes: step) {
        walk(member.value) { found += members(occurrences.name, of: $0["values"]) }
      }
      return found
    case .input, .state, .environment, .output, .item: return []
    }
  }

  // MARK: Recordings

  /// The places in a recording of a file's requests.
  package func places(inRecording root: JSONNode, _ file: SourceFile, below paths: [String])
    -> [Range<Int>]
  {
    var found: [Range<Int>] = []
    for path in paths {
      if case .step(let step) = occurrences.kind {
        let step = (path.isEmpty ? "" : path + ".") + step
        for entry in root["log"]?["entries"].map({ Array($0.elements) }) ?? [] {
          guard let node = entry["_pipeline"]?["step"] else { continue }
          found += mentions(step, in: contentRange(node.range), file)
            .map { $0.upperBound - occurrences.name.utf8.count..<$0.upperBound }
        }
      }
      found += secrets(in: root, file, path)
    }
    return found
  }

  /// Stand-ins of secrets: `{{secret:inputs.token}}`, `{{secret:login.token}}`.
  private func secrets(in root: JSONNode, _ file: SourceFile, _ path: String) -> [Range<Int>] {
    let before = "{{secret:" + (path.isEmpty ? "" : path + ".")
    let name = occurrences.name
    switch occurrences.kind {
    case .input where path.isEmpty: return reads(before + "inputs.", name, in: root, file)
    case .step(let step):
      let place = String(step.dropLast(bytes: name.utf8.count))
      return reads(before + place, name, in: root, file)
    case .value(let step): return reads(before + step + ".", name, in: root, file)
    case .input, .state, .environment, .output, .item: return []
    }
  }

  // MARK: Finding

  /// Where a path of ids, or one that goes on from it, is in a list of them: `each.user, list`.
  private func mentions(_ path: String, in range: Range<Int>, _ file: SourceFile) -> [Range<Int>] {
    let bytes = file.bytes
    let text = Array(path.utf8)
    return range.filter { start in
      let end = start + text.count
      guard end <= range.upperBound, bytes[start..<end].elementsEqual(text) else { return false }
      let begins =
        start == range.lowerBound || bytes[start - 1] == UInt8(ascii: " ")
        || bytes[start - 1] == UInt8(ascii: ",")
      return begins
        && (end == range.upperBound || [0x2E, 0x2C, 0x20].contains(bytes[end]))
    }.map { $0..<$0 + text.count }
  }

  /// Where a name follows a mark in a part of the file.
  private func reads(
    _ mark: String, _ name: String, in node: JSONNode?, _ file: SourceFile
  ) -> [Range<Int>] {
    guard let range = node?.range else { return [] }
    let text = Array((mark + name).utf8)
    let last = text.last ?? 0
    return file.bytes[range].indices.filter { start in
      let end = start + text.count
      guard end <= range.upperBound, file.bytes[start] == text[0],
        file.bytes[start..<end].elementsEqual(text)
      else { return false }
      return !last.isNameByte || end == file.bytes.count || !file.bytes[end].isNameByte
    }.map { $0 + mark.utf8.count..<$0 + text.count }
  }

  private func members(_ name: String, of node: JSONNode?) -> [Range<Int>] {
    guard let node, node.kind == .object else { return [] }
    return node.members.filter { $0.name.equals(bytes: name) }.map { contentRange($0.nameRange) }
  }

  private func content(of node: JSONNode, _ name: String) -> Range<Int>? {
    node.string.map { $0.equals(bytes: name) } ?? false ? contentRange(node.range) : nil
  }

  private func contentRange(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound + 1..<max(range.lowerBound + 1, range.upperBound - 1)
  }

  private func walk(_ root: JSONNode, _ visit: (JSONNode) -> Void) {
    var open = [root]
    while let node = open.popLast() {
      if node.kind == .object {
        visit(node)
        open += node.members.map(\.value)
      } else if node.kind == .array {
        open += node.elements
      }
    }
  }
}
