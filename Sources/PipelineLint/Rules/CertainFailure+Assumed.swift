import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

// What fails with the defaults of inputs, or with an item that is written out.

extension Assumption {
  /// That a run is given no other values than the defaults.
  init(defaultsOf context: LintContext) {
    self.init(
      known: context.known, standing: .byDefault, words: "with the defaults of the inputs, ",
      severity: .warning)
  }
}

extension CertainFailure {
  /// The defaults, if the step reads any and is carried out whatever they are.
  static func defaults(for step: LintStep, _ context: LintContext) -> Assumption? {
    let assumption = Assumption(defaultsOf: context)
    guard assumption.concerns(step.uses.lazy.map(\.use.query)), !context.isGuarded(step) else {
      return nil
    }
    return assumption
  }

  /// The items that are written out, if the step takes each of them by itself.
  static func items(of step: LintStep, _ context: LintContext) -> [Assumption] {
    guard let loop = step.step.forEach, let name = loop.itemName, !loop.isBatched,
      loop.until == nil, step.step.when == nil, case .list(let data) = loop.source.value,
      let list = data.literal, list.kind == .array,
      step.uses.contains(where: { $0.use.query.firstName == name })
    else { return [] }
    let isFatal = loop.onItemError != .collect && step.step.onError == .fail
    return zip(list.elements, data.node.elements).prefix(mostItems).map { element, written in
      Assumption(
        known: context.known.with(item: element, named: name), standing: .byItem,
        words: "with the item \(shown(element)), ",
        severity: isFatal ? .error : .warning,
        related: [Diagnostic.Related(range: written.range, message: "the item is here")])
    }
  }

  /// More are not looked at: they are alike.
  private static let mostItems = 20

  /// Judges what is read once per item.
  static func judge(_ step: LintStep, _ assumption: Assumption, _ found: inout [Diagnostic]) {
    step.step.forEachPart { judge($0, assumption, &found) }
    for (request, _) in step.requests {
      forEachParameter(of: request) { parameter, problem in
        guard let value = assumption.value(of: parameter.value), let problem = problem(value) else {
          return
        }
        append(problem.message, at: parameter.node.range, parameter.isInherited, assumption, &found)
      }
    }
  }

  static func judge(_ part: StepPart, _ assumption: Assumption, _ found: inout [Diagnostic]) {
    switch part.content {
    case .text(let template, _), .path(let template, _):
      guard assumption.concerns(template.value.references.lazy.map(\.query)),
        template.value.references.allSatisfy({ assumption.knows($0.query) })
      else { return }
      judge(template, part, assumption, &found) { value throws(ExpansionError) in
        _ = try template.value.expand(at: .text, value)
      }
    case .url(let url):
      judge(url, part, assumption, &found) { value throws(ExpansionError) in
        _ = try url.value.expand(base: anyBase, value)
      }
    case .endpoint(let endpoint):
      judge(endpoint, part, assumption, &found) { value throws(ExpansionError) in
        _ = try endpoint.value.url.expand(base: anyBase, value)
      }
    case .baseURL(let base):
      judge(base, part, assumption, &found) { value throws(ExpansionError) in
        _ = try base.value.expand(value)
      }
    case .data(let data, _): judge(data, isInherited: part.isInherited, assumption, &found)
    case .scopeQuery, .bodyQuery, .condition: break
    }
  }

  private static let anyBase = "https://api.example.com"
  /// In place of what is not known: it fits each place of a URL but its start.
  private static let anySegment = JSONValue.string("1").node

  private static func judge<Value>(
    _ written: Written<Value>, _ part: StepPart, _ assumption: Assumption,
    _ found: inout [Diagnostic],
    _ expand: ((Template.Reference) -> JSONNode?) throws(ExpansionError) -> Void
  ) {
    do throws(ExpansionError) {
      try expand { reference in
        assumption.knows(reference.query)
          ? assumption.known.value(of: reference.query) : anySegment
      }
    } catch {
      guard let reference = error.reference,
        assumption.known.standing(of: reference.query) == assumption.standing
      else { return }
      append(
        error.message, at: written.range(of: reference.range), part.isInherited, assumption, &found)
    }
  }

  static func judge(
    _ data: DataTemplate, isInherited: Bool, _ assumption: Assumption, _ found: inout [Diagnostic]
  ) {
    guard assumption.concerns(data.uses.lazy.map(\.query)) else { return }
    let known = assumption.known
    // What fails without the assumption has been reported.
    let certain = Set(
      data.knownFailures(from: known.source) { known.standing(of: $0) == .certain })
    for failure in data.knownFailures(from: known.source, assumption.knows)
    where !certain.contains(failure) {
      append(failure.message, at: failure.range, isInherited, assumption, &found)
    }
  }

  static func append(
    _ message: String, at range: Range<Int>, _ isInherited: Bool, _ assumption: Assumption,
    _ found: inout [Diagnostic]
  ) {
    // One item at each place is enough.
    if assumption.standing == .byItem,
      found.contains(where: { $0.code == code && $0.range == range })
    {
      return
    }
    var finding = finding(assumption.words + message, at: range, related: assumption.related)
    finding.severity = assumption.severity
    finding.isInherited = isInherited
    found.append(finding)
  }
}

extension LintContext {
  /// Whether a condition decides if the step is carried out. It may ask for a value that the step
  /// takes.
  fileprivate func isGuarded(_ step: LintStep) -> Bool {
    var step = step
    while true {
      if step.step.when != nil { return true }
      let block = blocks[step.block]
      if block.resolution.block.isChoice { return true }
      guard let parent = block.parent else { return false }
      step = steps[parent]
    }
  }
}
