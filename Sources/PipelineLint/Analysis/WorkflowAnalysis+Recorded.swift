import PipelineByteText
import PipelineJSONPaths
package import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// What recorded answers say about a place of a file.
extension WorkflowAnalysis {
  /// The members of the described and the recorded answers after what is written of a query of the
  /// body, each with its type or a sample.
  func bodyMembers(at offset: Int, in path: DocumentPath) -> [WorkflowCompletion] {
    guard path.type?.readsBody ?? false, let query = bodyQuery(at: offset, in: path) else {
      return []
    }
    guard let context, let number = context.viewpoint(at: offset).step,
      let body = context.body(of: context.steps[number])
    else { return [] }
    var way = ShapeWalk(body)
    for segment in query.owner.segments where !way.follow(segment) { return [] }
    return way.shape.members.filter { name, _ in
      name.hasPrefix(bytes: query.prefix) && Self.isName(name)
    }.map { name, shape in
      WorkflowCompletion(kind: .name, text: name, detail: shape.description)
    }
  }

  /// The bytes of the name that is being written in a query of the body.
  func bodyWord(at offset: Int, in path: DocumentPath) -> Range<Int>? {
    guard path.type?.readsBody ?? false else { return nil }
    return bodyQuery(at: offset, in: path)?.word
  }

  /// What a request gives a name.
  package struct ValueSource {
    /// The path of the step.
    package let step: String
    /// The name of the value.
    package let name: String
    package let isSecret: Bool
  }

  /// Which extractor gives what a path of the scope reads, such as `list.total`; `nil` if none
  /// does.
  package func source(of path: String, at offset: Int) -> ValueSource? {
    extraction(of: path, at: offset)?.source
  }

  private func extraction(
    of path: String, at offset: Int
  ) -> (step: LintStep, source: ValueSource)? {
    guard let context, let query = WrittenPath.query(path), let id = query.firstName else {
      return nil
    }
    let viewpoint = context.viewpoint(at: offset)
    guard case .step(let level, let index) = context.definition(of: id, from: viewpoint), level == 0
    else { return nil }
    let step = context.steps[context.blocks[viewpoint.block].steps[index]]
    guard let name = query.segments.dropFirst().compactMap(\.name).first,
      let value = step.request?.extract.first(where: { $0.name.equals(bytes: name) })
    else { return nil }
    return (
      step,
      ValueSource(step: context.path(of: step.number), name: name, isSecret: value.isSecret)
    )
  }

  /// A value of a step that was recorded, for a path of the scope such as `list.total`.
  package func sample(of path: String, at offset: Int) -> String? {
    guard let (step, source) = extraction(of: path, at: offset), !source.isSecret,
      step.step.forEach == nil,
      let query = step.step.bodyExtractors.first(where: {
        $0.extractor.name.equals(bytes: source.name)
      })?.query
    else { return nil }
    for body in bodies(of: step) {
      let nodes = query.value.nodes(in: QueryContext(body))
      guard let first = nodes.first else { continue }
      let more = nodes.count > 1 ? ", … (\(nodes.count) values)" : ""
      return Self.sample(of: first) + more
    }
    return nil
  }

  private func bodies(of step: LintStep) -> [JSONNode] {
    guard let context else { return [] }
    let answers = recorded[context.path(of: step.number)].map { $0.read(by: step.step) }
    return step.step.expected(answers).compactMap(\.body)
  }

  /// `$.data[*].na`: the query before the last name, and what is written of that.
  private func bodyQuery(
    at offset: Int, in path: DocumentPath
  ) -> (owner: Query, prefix: String, word: Range<Int>)? {
    guard path.node.kind == .string else { return nil }
    let start = path.node.range.lowerBound + 1
    guard start <= offset, offset <= file.bytes.count else { return nil }
    var first = offset
    while first > start, file.bytes[first - 1].isNameByte { first -= 1 }
    guard first > start, file.bytes[first - 1] == UInt8(ascii: "."),
      let owner = try? Query.parse(file.text(start..<first - 1)).get()
    else { return nil }
    var end = offset
    while end < file.bytes.count, file.bytes[end].isNameByte { end += 1 }
    return (owner, file.text(first..<offset), first..<end)
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(\.isWordByte)
  }

  /// A value as text, cut where it is long: `integer: 12`.
  package static func sample(of node: JSONNode) -> String { node.sample }
}

extension LanguageType {
  /// Whether a text may be a query of the body there.
  var readsBody: Bool {
    switch self {
    case .bodyQuery: true
    case .either(let types): types.contains(where: \.readsBody)
    case .map(let type), .list(let type), .several(let type): type.readsBody
    default: false
    }
  }
}
