import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates
import PipelineURIs

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

  /// Judges what is done with each of the items that are written out: by the step, and by those of
  /// its block.
  static func judgeItems(of step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let loop = step.step.forEach, let name = loop.itemName, !loop.isBatched,
      loop.until == nil, step.step.when == nil, case .list(let data) = loop.source.value,
      let list = data.literal, list.kind == .array
    else { return }
    let readers = context.readers(ofItemsOf: step, named: name)
    let outputs = step.inner.flatMap { context.blocks[$0].resolution.block.outputs } ?? []
    for (element, written) in zip(list.elements, data.node.elements).prefix(mostItems) {
      let assumption = Assumption(
        known: context.known.with(item: element, named: name), standing: .byItem,
        words: "with the item \(shown(element)), ",
        severity: loop.onItemError == .collect || step.step.onError != .fail ? .warning : .error,
        related: [Diagnostic.Related(range: written.range, message: "the item is here")])
      for field in outputs { judge(field.value, isInherited: false, assumption, &found) }
      for (reader, isFatal) in readers {
        var assumption = assumption
        if !isFatal { assumption.severity = .warning }
        if reader.number != step.number {
          reader.step.forEach?.forEachPart { judge($0, assumption, &found) }
        }
        judge(reader, assumption, &found)
        judgeCall(reader, context, assumption, &found)
      }
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
      if let save = request.save { judge(path: save, isInherited: false, assumption, &found) }
      for (text, isInherited) in request.textsOfHeaders {
        judge(text, isInherited, assumption, &found) { value throws(ExpansionError) in
          _ = try text.value.expand(at: .header, value)
        }
      }
      for extractor in request.extract {
        guard case .value(let data) = extractor.source, let value = assumption.value(of: data),
          let problem = problem(with: value, of: extractor)
        else { continue }
        append(problem, at: data.node.range, false, assumption, &found)
      }
      if let proxy = request.proxy,
        assumption.concerns(proxy.value.references.lazy.map(\.query)),
        proxy.value.references.allSatisfy({ assumption.knows($0.query) }),
        let url = try? proxy.value.text({ assumption.known.value(of: $0.query) }), !url.isEmpty,
        let problem = ProxyURL.problem(in: url)
      {
        append("the proxy \(problem)", at: proxy.range, false, assumption, &found)
      }
    }
  }

  /// Judges the values in the path of a file: each fills a segment of it.
  private static func judge(
    path: Written<Template>, isInherited: Bool, _ assumption: Assumption,
    _ found: inout [Diagnostic]
  ) {
    for reference in path.value.references
    where assumption.known.standing(of: reference.query) == assumption.standing {
      guard let value = assumption.known.value(of: reference.query)?.string,
        let problem = PipelineTemplates.PathSegments.problem(with: value, of: reference)
      else { continue }
      append(problem, at: path.range(of: reference.range), isInherited, assumption, &found)
    }
  }

  static func judge(_ part: StepPart, _ assumption: Assumption, _ found: inout [Diagnostic]) {
    switch part.content {
    case .text(let template, let site), .path(let template, let site):
      if case .path = part.content {
        judge(path: template, isInherited: part.isInherited, assumption, &found)
      }
      guard assumption.concerns(template.value.references.lazy.map(\.query)),
        template.value.references.allSatisfy({ assumption.knows($0.query) })
      else { return }
      judge(template, part.isInherited, assumption, &found) { value throws(ExpansionError) in
        _ = try template.value.expand(at: site == .credential ? .header : .text, value)
      }
    case .url(let url):
      judge(url, part.isInherited, assumption, &found) { value throws(ExpansionError) in
        _ = try url.value.expand(base: anyBase, value)
      }
    case .endpoint(let endpoint):
      judge(endpoint, part.isInherited, assumption, &found) { value throws(ExpansionError) in
        _ = try endpoint.value.url.expand(base: anyBase, value)
      }
    case .baseURL(let base):
      judge(base, part.isInherited, assumption, &found) { value throws(ExpansionError) in
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
    _ written: Written<Value>, _ isInherited: Bool, _ assumption: Assumption,
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
        error.message, at: written.range(of: reference.range), isInherited, assumption, &found)
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

extension Request {
  /// The texts that become a part of a header, though they are written elsewhere.
  fileprivate var textsOfHeaders: [(text: Written<Template>, isInherited: Bool)] {
    var texts: [(text: Written<Template>, isInherited: Bool)] = []
    switch auth?.scheme {
    case .basic(let form), .digest(let form): texts.append((form.user, auth?.isInherited ?? false))
    default: break
    }
    if let body, case .multipart(let parts) = body.content {
      for part in parts {
        texts += [part.name, part.filename].compactMap { $0 }.map { ($0, body.isInherited) }
      }
    }
    return texts
  }
}

extension LintContext {
  /// The steps that read the items of a step and are carried out for each of them: the step itself,
  /// or steps of its block. Without `isFatal`, others go on if one fails.
  fileprivate func readers(
    ofItemsOf step: LintStep, named name: String
  ) -> [(step: LintStep, isFatal: Bool)] {
    func reads(_ step: LintStep) -> Bool {
      step.uses.contains { $0.use.query.firstName == name }
    }
    guard let inner = step.inner else { return reads(step) ? [(step, true)] : [] }
    var found: [(step: LintStep, isFatal: Bool)] = []
    let maySkip = maySkip
    func visit(_ block: Int, _ isFatal: Bool) {
      if blocks[block].resolution.block.isChoice { return }
      for step in blocks[block].steps.map({ steps[$0] })
      where step.step.when == nil && !mayLack(step, maySkip) {
        let isFatal =
          isFatal && step.step.onError == .fail && step.step.forEach?.onItemError != .collect
        if reads(step) { found.append((step, isFatal)) }
        if let inner = step.inner { visit(inner, isFatal) }
      }
    }
    visit(inner, true)
    return found
  }

  /// Whether a value that a step needs may be absent, because the step that has it was skipped.
  private func mayLack(_ reader: LintStep, _ maySkip: [Bool]) -> Bool {
    reader.uses.contains { use in
      guard use.use.mode == .needs, case .step(let level, let index)? = use.definition else {
        return false
      }
      return source(level: level, index: index, from: reader.block).map {
        maySkip[$0.number] || $0.step.onError != .fail
      } ?? true
    }
  }

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
