import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

extension WorkflowAnalysis {
  /// Proposals for a place, given the text before it: keys, names of the scope and their values,
  /// and the few values that a key takes.
  package func completions(at offset: Int) -> [WorkflowCompletion] {
    let path = DocumentPath(document, to: offset, root: root)
    if let member = path.member {
      let start = min(start(of: member.nameRange), offset)
      let prefix = text(start..<offset)
      return keys(of: path.node, path.kind, but: member.name, after: prefix)
        + names(in: path, but: member.name, after: prefix, at: offset)
        + forms(in: path, after: prefix)
        + options(in: path, but: member.name, after: prefix)
    }
    switch path.node.kind {
    case .object:
      return keys(of: path.node, path.kind, but: nil, after: "")
        + names(in: path, but: nil, after: "", at: offset)
        + options(in: path, but: nil, after: "")
    case .string: return values(at: offset, in: path)
    case .array, .number, .boolean, .null: return []
    }
  }

  /// The bytes that a proposal for a place takes the place of, and whether they are in a string.
  package func completionPlace(at offset: Int) -> (range: Range<Int>, isInString: Bool) {
    let path = DocumentPath(document, to: offset, root: root)
    let node: Range<Int>
    if let member = path.member {
      node = member.nameRange
    } else if path.node.kind == .string {
      node = path.node.range
      if let written = written(at: offset, in: path) { return (written.word, true) }
      if let word = bodyWord(at: offset, in: path) { return (word, true) }
    } else {
      return (offset..<offset, false)
    }
    let start = min(start(of: node), offset)
    let isQuoted = start > node.lowerBound
    let isClosed =
      node.upperBound - 1 > start && file.bytes[node.upperBound - 1] == UInt8(ascii: "\"")
    // A name without its end swallows what follows it, and only what is written so far is meant.
    let end = isQuoted && isClosed ? node.upperBound - 1 : offset
    return (start..<max(end, offset), isQuoted)
  }

  /// The keys that an object does not have yet.
  private func keys(
    of node: JSONNode, _ kind: LanguageObject.Kind?, but name: String?, after prefix: String
  ) -> [WorkflowCompletion] {
    guard let kind else { return isTest ? steps(of: node, but: name, after: prefix) : [] }
    let given = Set(node.members.map(\.name)).subtracting(name.map { [$0] } ?? [])
    let actions = LanguageAction.allCases.filter { given.contains($0.rawValue) }
    let keys = kind.object.keys.filter { key in
      !given.contains(key.name)
        && (kind != .step || actions.isEmpty
          || key.actions.map { !$0.isDisjoint(with: actions) } ?? true)
        && !(kind == .step && !actions.isEmpty && LanguageAction(rawValue: key.name) != nil)
    }.map { WorkflowCompletion(kind: .key, text: $0.name, detail: $0.meaning) }
    return keys.filter { $0.text.hasPrefix(bytes: prefix) }
      + foreignKeys(keys, in: kind, after: prefix)
  }

  /// Names for members whose keys the author chooses, without those that are given.
  private func names(
    in path: DocumentPath, but name: String?, after prefix: String, at offset: Int
  ) -> [WorkflowCompletion] {
    guard path.kind == nil else { return [] }
    let given = path.node.members.map(\.name).filter { $0 != name }
    return memberNames(of: path, at: offset).filter { proposal in
      proposal.text.lowercasedASCII.hasPrefix(bytes: prefix.lowercasedASCII)
        && !given.contains { $0.equals(bytes: proposal.text) }
    }
  }

  /// The steps that a test does not answer yet.
  private func steps(
    of node: JSONNode, but name: String?, after prefix: String
  ) -> [WorkflowCompletion] {
    let answers = document.root["tests"].map { Array($0.elements) } ?? []
    guard answers.contains(where: { $0["respond"]?.range == node.range }) else { return [] }
    let given = Set(node.members.map(\.name)).subtracting(name.map { [$0] } ?? [])
    return testedSteps.filter { !given.contains($0) && $0.hasPrefix(bytes: prefix) }
      .map { WorkflowCompletion(kind: .name, text: $0, detail: "step '\($0)'") }
  }

  /// The data forms, if one may begin here. Each is the only member of its object.
  private func forms(in path: DocumentPath, after prefix: String) -> [WorkflowCompletion] {
    guard path.type?.takesData == true, path.node.count == 1 else { return [] }
    return DataForms.tables.map(\.title).filter { $0.name.hasPrefix(bytes: prefix) }
      .map { WorkflowCompletion(kind: .key, text: $0.name, detail: $0.meaning) }
  }

  /// The options of the form whose value the object is.
  private func options(
    in path: DocumentPath, but name: String?, after prefix: String
  ) -> [WorkflowCompletion] {
    guard path.type?.takesData == true, path.kind == nil, let key = path.key,
      let table = DataForms.tables.first(where: { $0.title.name == key }), !table.options.isEmpty
    else { return [] }
    let given = Set(path.node.members.map(\.name)).subtracting(name.map { [$0] } ?? [])
    let all =
      [(table.title.valueName, "The value that the form works on.")]
      + table.options.map { ($0.name, $0.meaning) }
    return all.filter { !given.contains($0.0) && $0.0.hasPrefix(bytes: prefix) }
      .map { WorkflowCompletion(kind: .key, text: $0.0, detail: $0.1) }
  }

  private func values(at offset: Int, in path: DocumentPath) -> [WorkflowCompletion] {
    if let written = written(at: offset, in: path) { return names(written, at: offset) }
    let members = bodyMembers(at: offset, in: path)
    if !members.isEmpty { return members }
    let start = min(start(of: path.node.range), offset)
    let prefix = text(start..<offset)
    if path.key == "dependsOn", let context {
      let viewpoint = context.viewpoint(at: offset)
      return context.blocks[viewpoint.block].steps
        .filter { $0 != viewpoint.step }
        .map { context.steps[$0].step.id.value }
        .filter { $0.hasPrefix(bytes: prefix) }
        .map { WorkflowCompletion(kind: .name, text: $0, detail: "step '\($0)'") }
    }
    let choices = (path.type?.choices ?? []).map {
      WorkflowCompletion(kind: .value, text: $0, detail: "'\(path.key ?? "")'")
    }
    return (choices + knownValues(of: path, after: prefix))
      .filter { $0.text.hasPrefix(bytes: prefix) }
  }

  /// The names that may follow what is written of a reading of the scope.
  private func names(_ written: WrittenPath, at offset: Int) -> [WorkflowCompletion] {
    guard let context else { return [] }
    let viewpoint = context.viewpoint(at: offset)
    let prefix = text(written.word.lowerBound..<max(offset, written.word.lowerBound))
    guard let owner = written.owner else {
      return context.visibleNames(block: viewpoint.block, step: viewpoint.step)
        .filter { $0.hasPrefix(bytes: prefix) }
        .compactMap { completion(of: $0, named: $0, viewpoint, context) }
    }
    guard let query = WrittenPath.query(owner) else { return [] }
    let shape = context.reading(of: query, from: viewpoint).shape
    return shape.memberNames.filter { $0.hasPrefix(bytes: prefix) }
      .compactMap { completion(of: owner + "." + $0, named: $0, viewpoint, context) }
  }

  private func completion(
    of path: String, named name: String, _ viewpoint: Viewpoint, _ context: LintContext
  ) -> WorkflowCompletion? {
    guard let query = WrittenPath.query(path) else { return nil }
    let type = context.reading(of: query, from: viewpoint).shape.description
    return WorkflowCompletion(kind: .name, text: name, detail: type)
  }

  /// The start of a string's text: after its quote, unless it lacks its end.
  private func start(of range: Range<Int>) -> Int {
    let isQuoted =
      file.bytes.indices.contains(range.lowerBound)
      && file.bytes[range.lowerBound] == UInt8(ascii: "\"")
    return range.lowerBound + (isQuoted ? 1 : 0)
  }

  private func text(_ range: Range<Int>) -> String { file.text(range) }
}

extension LanguageType {
  /// Whether the value may be any JSON with templates in it.
  fileprivate var takesData: Bool {
    switch self {
    case .data, .form: true
    case .either(let types): types.contains(where: \.takesData)
    default: false
    }
  }

  /// The strings that a value may be, if they are few.
  fileprivate var choices: [String] {
    switch self {
    case .choice(let names): names
    case .either(let types): types.flatMap(\.choices)
    default: []
    }
  }
}
