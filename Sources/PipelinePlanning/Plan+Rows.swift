import PipelineByteText
import PipelineFormats
import PipelineHTTPTerms
import PipelineJSONPaths
package import PipelineJSONText
import PipelineLanguage
import PipelineTemplates

/// The source of rows that are requested by name.
package enum RowSource: Sendable, Hashable {
  /// The rows of a collection of the file, by the number of the step, during the run.
  ///
  /// `output`: the position of the output that is these rows, or parts of them; `nil` if the step
  /// was named. `path`: where the rows lie in those of the step.
  case collection(step: Int, output: Int?, path: RowPath)
  /// What an extractor finds on the pages of a step of the file, during the run. `path`: where the
  /// rows lie in its list.
  case pages(step: Int, extractor: String, output: Int, path: RowPath)
  /// The value of an output, by its position, when the run has ended.
  case output(Int)
}

/// Where rows lie in a value: names, and all elements of lists.
package struct RowPath: Sendable, Hashable {
  private enum Step: Sendable, Hashable {
    case name(String)
    case all
  }

  private let steps: [Step]

  /// The value itself.
  package static let value = RowPath(steps: [])
  fileprivate static let elements = RowPath(steps: [.all])

  private init(steps: [Step]) { self.steps = steps }

  /// `nil` if the segments select in another way, so that a part of the value does not decide.
  fileprivate init?(_ segments: some Collection<Segment>) {
    var steps: [Step] = []
    for segment in segments {
      if let name = segment.name {
        steps.append(.name(name))
      } else if segment.isWildcard {
        steps.append(.all)
      } else {
        return nil
      }
    }
    self.init(steps: steps)
  }

  /// Whether the value itself is the row.
  package var isValue: Bool { steps.isEmpty }

  fileprivate var beginsWithElements: Bool { steps.first == .all }

  /// Calls `body` with each row of a value, in order.
  package func forEach(in value: JSONNode, _ body: (JSONNode) -> Void) {
    forEach(in: value, steps[...], body)
  }

  private func forEach(
    in value: JSONNode, _ steps: ArraySlice<Step>, _ body: (JSONNode) -> Void
  ) {
    switch steps.first {
    case nil: body(value)
    case .name(let name)?:
      guard value.kind == .object, let member = value[name] else { return }
      forEach(in: member, steps.dropFirst(), body)
    case .all?:
      if value.kind == .object {
        for member in value.members { forEach(in: member.value, steps.dropFirst(), body) }
      } else if value.kind == .array {
        for element in value.elements { forEach(in: element, steps.dropFirst(), body) }
      }
    }
  }
}

extension Plan {
  /// Where the rows of an output, or of a step with `forEach`, come from; `nil` if the file has
  /// neither of that name. An output comes before a step.
  package func rowSource(named name: String) -> RowSource? {
    let outputs = workflow.block.outputs ?? []
    if let output = outputs.firstIndex(where: { $0.name.equals(bytes: name) }) {
      return rowSource(of: outputs[output], at: output) ?? .output(output)
    }
    return root.steps.firstIndex { $0.step.id.value.equals(bytes: name) && $0.step.forEach != nil }
      .map { .collection(step: $0, output: nil, path: .value) }
  }

  /// The source of the only output, if its rows may be handed on as they come; `nil` if they may
  /// not, or they hold a secret.
  package var streamableSource: RowSource? {
    guard let outputs = workflow.block.outputs, outputs.count == 1,
      secrecy[root].outputs.allSatisfy(\.isNone),
      let source = rowSource(of: outputs[0], at: 0), isOnlyRead(source, by: [0])
    else { return nil }
    // The value of another output is not a row of its own.
    switch source {
    case .collection(_, _, let path): return path.isValue ? source : nil
    case .pages(let step, _, _, _): return root.steps[step].step.otherwise == nil ? source : nil
    case .output: return nil
    }
  }

  /// The rows that an output's value consists of, if they can be known during the run.
  private func rowSource(of output: Field, at position: Int) -> RowSource? {
    guard let query = output.value.wholeReference, query.firstNames.count == 1,
      let read = root.outputReads.first(where: { $0.name.equals(bytes: query.firstNames[0]) }),
      case .step(level: 0, let number) = read.definition
    else { return nil }
    let step = root.steps[number].step
    let segments = query.segments.dropFirst()
    guard step.forEach == nil else {
      guard let first = segments.first else {
        return .collection(step: number, output: position, path: .value)
      }
      guard first.isWildcard, let path = RowPath(segments.dropFirst()) else { return nil }
      return .collection(step: number, output: position, path: path)
    }
    guard case .request(let request) = step.action,
      request.paginate != nil || request.handsOnRows,
      let name = segments.first?.name,
      let extractor = request.extract.first(where: { $0.name.equals(bytes: name) }),
      extractor.joinsPages,
      let path = segments.count == 1 ? .elements : RowPath(segments.dropFirst()),
      path.beginsWithElements
    else { return nil }
    return .pages(step: number, extractor: extractor.name, output: position, path: path)
  }

  /// Whether the content of a source has no other reader, so that it need not be kept.
  ///
  /// - Parameter outputs: The positions of the outputs that it is for.
  package func isOnlyRead(_ source: RowSource, by outputs: Set<Int>) -> Bool {
    switch source {
    case .collection(let step, _, _): !readsRows(of: step, besides: outputs)
    case .pages(let step, let extractor, _, _):
      !reads(extractor, of: root.steps[step].step.id.value, besides: outputs)
    case .output: false
    }
  }

  /// Whether anything of the file may read a value of a step, whatever a name stands for there.
  private func reads(_ extractor: String, of step: String, besides outputs: Set<Int>) -> Bool {
    func isRead(in queries: [Query]) -> Bool {
      queries.contains { query in
        guard query.firstNames.contains(where: { $0.equals(bytes: step) }) else { return false }
        guard query.firstNames.count == 1, query.segments.count > 1,
          let name = query.segments[1].name
        else { return true }
        return name.equals(bytes: extractor)
      }
    }
    func isRead(in block: BlockPlan) -> Bool {
      block.steps.contains { plan in
        isRead(in: (plan.step.iterationUses + plan.step.uses).map(\.query))
          || plan.inner.map {
            isRead(in: $0) || isRead(in: $0.block.outputUses.map(\.query))
          } ?? false
      }
    }
    let kept = (workflow.block.outputs ?? []).enumerated().filter { !outputs.contains($0.offset) }
    let ends = kept.map(\.element) + workflow.block.next
    return isRead(in: root) || isRead(in: ends.flatMap(\.value.uses).map(\.query))
  }

  /// Whether a step, an output or the state reads the rows of a collection.
  ///
  /// - Parameter outputs: The positions of outputs that do not count.
  package func readsRows(of step: Int, besides outputs: Set<Int>) -> Bool {
    let definition = Definition.step(level: 0, index: step)
    if root.nextReads.contains(where: { $0.definition == definition }) || isRead(step) {
      return true
    }
    let names = root.outputReads.filter { $0.definition == definition }.map(\.name)
    return (workflow.block.outputs ?? []).enumerated().contains { position, output in
      !outputs.contains(position)
        && output.value.uses.contains { use in use.query.firstNames.contains { names.contains($0) }
        }
    }
  }

  /// The secret parts of each row.
  package func rowTaint(of source: RowSource) -> Taint {
    switch source {
    case .collection(let step, nil, _): secrecy[root].steps[step].values
    case .collection(_, let output?, _), .pages(_, _, let output, _), .output(let output):
      (workflow.block.outputs ?? [])[output].isRevealed ? .none : secrecy[root].outputs[output]
    }
  }

  /// Whether the author has asked to see the rows as they are, secrets included.
  package func revealsRows(of source: RowSource) -> Bool {
    switch source {
    case .collection(_, nil, _): false
    case .collection(_, let output?, _), .pages(_, _, let output, _), .output(let output):
      (workflow.block.outputs ?? [])[output].isRevealed
    }
  }
}

extension Request {
  /// Whether the rows of its one response are handed on as such. If it must not be sent twice, they
  /// are a value that the journal keeps.
  package var handsOnRows: Bool {
    read?.format.givesRows == true && paginate == nil && poll == nil
      && HTTPMethod.isIdempotent(method)
  }
}

extension Segment {
  /// Whether the segment is `[*]`.
  package var isWildcard: Bool {
    guard reach == .child, selectors.count == 1, case .wildcard = selectors.first.kind else {
      return false
    }
    return true
  }
}

extension Extractor {
  /// Whether the extractor gives a list, and each page a part of it.
  package var joinsPages: Bool {
    switch source {
    case .body(let query): !query.value.isSingular && take == nil
    case .header: all
    case .headers, .cookie, .status, .url, .text, .value: false
    }
  }

  /// Whether the value is that of the first or last page that has one.
  package var searchesPages: Bool { take?.value == .first || take?.value == .last }
}
