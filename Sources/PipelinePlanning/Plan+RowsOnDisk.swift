import PipelineByteText
import PipelineFormats
import PipelineJSONPaths
import PipelineLanguage
import PipelineTemplates

extension Plan {
  /// The extractors of a step of the file whose rows may wait on the disk; empty: none.
  ///
  /// The rows are then known one after the other, and never as a list. So neither the step itself
  /// nor the readers of its values may need more. The readers are loops over all rows, or takers of
  /// handed-on rows.
  ///
  /// - Parameter handedOn: The extractors of the step whose rows are handed on, and have no other
  ///   reader.
  package func rowsOnDisk(of step: Int, handedOn: Set<String>) -> Set<String> {
    let plan = root.steps[step]
    guard plan.step.forEach == nil, case .request(let request) = plan.step.action,
      request.givesRowsOneByOne, plan.step.expect.asksForNoRows
    else { return [] }
    var names: Set<String> = []
    for extractor in request.extract {
      switch extractor.source {
      case .body(let query):
        guard extractor.type == nil, extractor.part == nil, extractor.take == nil,
          query.value.goesForward
        else { return [] }
        names.insert(extractor.name)
      case .header, .headers, .cookie, .status, .url: continue
      case .text, .value: return []
      }
    }
    let reading = RowReading(
      id: plan.step.id.value, names: names.subtracting(handedOn), all: names)
    let outputs = (workflow.block.outputs ?? []).filter { output in
      !handedOn.contains { reading.isWhole(output.value.wholeReference, of: $0) }
    }
    let ends = (outputs + workflow.block.next).flatMap(\.value.uses).map(\.query)
    return ends.allSatisfy(reading.isOther) && reading.isWell(in: root) ? names : []
  }
}

/// Who reads the values of a step.
private struct RowReading {
  let id: String
  /// The extractors that only loops may read.
  let names: Set<String>
  /// These names, and the extractors whose rows are handed on.
  let all: Set<String>

  /// Whether a query reads nothing of the rows, whatever a name stands for where it is.
  func isOther(_ query: Query) -> Bool {
    guard query.firstNames.contains(where: { $0.equals(bytes: id) }) else { return true }
    guard query.firstNames.count == 1, query.segments.count > 1,
      let name = query.segments[1].name
    else { return false }
    return !all.contains(name)
  }

  /// Whether a query is all rows, as a loop reads them.
  private func isLoop(_ query: Query) -> Bool {
    guard query.firstNames.count == 1, query.firstNames[0].equals(bytes: id),
      query.segments.count == 2 || query.segments.count == 3 && query.segments[2].isWildcard,
      let name = query.segments[1].name
    else { return false }
    return names.contains(name)
  }

  /// Whether an output reads what an extractor gives.
  func isWhole(_ query: Query?, of extractor: String) -> Bool {
    guard let query, query.firstNames.count == 1, query.firstNames[0].equals(bytes: id),
      query.segments.count > 1
    else { return false }
    return query.segments[1].name?.equals(bytes: extractor) == true
  }

  /// Whether all steps of a block, and of those in it, read the rows as loops do.
  func isWell(in block: BlockPlan) -> Bool {
    block.steps.allSatisfy { plan in
      var source: Query?
      if let forEach = plan.step.forEach, !forEach.isDistinct,
        case .query(let query) = forEach.source.value, isLoop(query.value)
      {
        source = query.value
      }
      let isWell = (plan.step.iterationUses + plan.step.uses).allSatisfy {
        isOther($0.query) || $0.query == source
      }
      guard isWell, let inner = plan.inner else { return isWell }
      return self.isWell(in: inner) && inner.block.outputUses.map(\.query).allSatisfy(isOther)
    }
  }
}

extension Request {
  /// Whether the rows of its response may be looked at one after the other, while they come.
  fileprivate var givesRowsOneByOne: Bool {
    guard let read, read.format.givesRows, read.until == nil, paginate == nil, poll == nil,
      save == nil, cache == nil, settle == nil, !extract.contains(where: \.isSecret)
    else { return false }
    if case .graphQL? = body?.content { return false }
    guard let when = retry.when?.value else { return true }
    return !when.mayRead("body") && !when.mayRead("text")
  }
}

extension Expectation {
  /// Whether the response is judged without its body, and without the values of the step.
  fileprivate var asksForNoRows: Bool {
    schema == nil
      && checks.allSatisfy { check in
        ["body", "text", "values"].allSatisfy { !check.condition.value.mayRead($0) }
      }
  }
}

extension Query {
  /// Whether each element of the body gives its own part of what the query selects: `$`, `$[*]…` and
  /// `$[?…]…`, as long as no filter looks at the whole body.
  fileprivate var goesForward: Bool {
    guard anchor == .root, references.absoluteQueries.count <= 1 else { return false }
    guard let first = segments.first else { return true }
    guard first.reach == .child, first.selectors.count == 1 else { return false }
    switch first.selectors.first.kind {
    case .wildcard, .filter: return true
    case .name, .index, .slice, .key: return false
    }
  }
}
