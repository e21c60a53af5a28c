import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

// Numbers of items that are known before a run, and what a called file does not take.

extension CertainFailure {
  /// Judges the items of `forEach`: `batch`, `concurrency`, the bounds of a range, and how many there
  /// are.
  ///
  /// - Parameter assumption: `nil` for what is certain.
  static func judgeCollection(
    _ step: LintStep, _ context: LintContext, _ assumption: Assumption?,
    _ found: inout [Diagnostic]
  ) {
    guard let loop = step.step.forEach, loop.rounds == nil else { return }
    var batch = loop.batch?.value
    for (key, data) in [("batch", loop.batchData), ("concurrency", loop.concurrencyData)] {
      guard let data, let value = value(of: data, context, assumption) else { continue }
      do throws(Iteration.Problem) {
        let amount = try Iteration.amount(value, of: key)
        if key == "batch" { batch = amount }
      } catch {
        append(error.message, at: data.node.range, assumption, &found)
      }
    }
    guard batch != nil || !loop.isBatched else { return }
    do throws(Iteration.Problem) {
      guard let count = try fewestItems(of: loop, context, assumption) else { return }
      let limits = context.workflow.limits
      guard batch.map({ (count - 1) / $0 + 1 }) ?? count > limits.items else { return }
      var least = ""
      if case .windows = loop.source.value { least = "at least " }
      append(
        "'forEach' has \(least)\(count) items, and 'limits.items' lets a run have \(limits.items)",
        at: loop.source.range, assumption,
        // A file that calls this one may allow more than the standard.
        severity: context.workflow.limitNames.contains("items") ? .error : .warning, &found)
    } catch {
      append(error.message, at: loop.source.range, assumption, &found)
    }
  }

  /// The number of items, or one that it is not below; `nil` if it is not known.
  private static func fewestItems(
    of loop: Iteration, _ context: LintContext, _ assumption: Assumption?
  ) throws(Iteration.Problem) -> Int? {
    switch loop.source.value {
    case .rounds: return nil
    case .query(let query):
      guard let assumption, assumption.knows(query.value), query.value.isSingular,
        let list = assumption.known.value(of: query.value)
      else { return nil }
      guard list.kind == .array else {
        throw Iteration.Problem(
          message: "'\(query.value.text)' is \(words(for: list)), but 'forEach' needs a list")
      }
      return loop.isDistinct ? nil : list.count
    case .list(let data):
      guard !loop.isDistinct, assumption == nil, let list = data.literal, list.kind == .array
      else { return nil }
      return list.count
    case .windows(let data):
      return data.fewestWindows(from: context.known.source) { query in
        // Not with a date that stands in for others.
        assumption != nil && context.known.standing(of: query) == .byDefault
      }
    case .range(let from, let to, let by):
      let bounds = [("from", from), ("to", to)] + (by.map { [("by", $0)] } ?? [])
      guard assumption?.concerns(bounds.flatMap { $0.1.uses.map(\.query) }) ?? true else {
        return nil
      }
      var numbers: [Int] = []
      for (key, data) in bounds {
        guard let value = data.literal ?? value(of: data, context, assumption) else { return nil }
        numbers.append(try Iteration.bound(value, of: key))
      }
      return try Iteration.count(from: numbers[0], to: numbers[1], by: by == nil ? 1 : numbers[2])
    }
  }

  private static func value(
    of data: DataTemplate, _ context: LintContext, _ assumption: Assumption?
  ) -> JSONNode? {
    assumption.map { $0.value(of: data) }
      ?? data.knownValue(from: context.known.source) { context.known.standing(of: $0) == .certain }
  }

  /// Judges the requests that each run sends, if it succeeds.
  static func judgeRequests(_ context: LintContext, _ found: inout [Diagnostic]) {
    let limit = context.workflow.limits.requests
    guard let written = context.workflow.document.root["limits"]?["requests"],
      written.number?.int == limit, context.steps.count > limit
    else { return }
    let maySkip = context.maySkip
    let count = context.steps.count { step in
      guard let request = step.request, request.handler == nil, request.cache == nil else {
        return false
      }
      let block = context.blocks[step.block]
      return !maySkip[step.number] && block.parent == nil && step.index < block.mainCount
        && step.step.forEach == nil && step.step.onError == .fail
    }
    guard count > limit else { return }
    found.append(
      finding(
        "each run sends at least \(count) requests, and 'limits.requests' lets it send \(limit)",
        at: written.range))
  }

  /// Judges the values that a step gives a called file.
  static func judgeCall(
    _ step: LintStep, _ context: LintContext, _ assumption: Assumption?,
    _ found: inout [Diagnostic]
  ) {
    guard case .call(let call) = step.step.action,
      let callee = context.callees[ExactText(call.path.value)]?.workflow
    else { return }
    for field in call.inputs {
      guard let input = callee.inputs.first(where: { $0.name.equals(bytes: field.name) }),
        let given = field.value.literal ?? value(of: field.value, context, assumption)
      else { continue }
      if assumption != nil, field.value.literal != nil { continue }
      let isSample = assumption == nil && field.value.literal == nil
      let value = input.taken(given)
      let shown = isSample || input.isSecret ? words(for: given) : shown(given)
      // Others of the kind may be allowed.
      let problem =
        isSample
        ? input.typeRefusal(of: value, shown: shown) : input.refusal(of: value, shown: shown)
      guard let problem else { continue }
      append(
        "the input '\(input.name)' of '\(call.path.value)' \(problem)", at: field.node.range,
        assumption, &found)
    }
  }

  private static func append(
    _ message: String, at range: Range<Int>, _ assumption: Assumption?,
    severity: Diagnostic.Severity = .error, _ found: inout [Diagnostic]
  ) {
    if let assumption { return append(message, at: range, false, assumption, &found) }
    var finding = finding(message, at: range)
    finding.severity = severity
    found.append(finding)
  }
}
