import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A rule that compares what a workflow reads of responses with the descriptions.
protocol DescribedScopeRule: ExplainedRule {
  static func check(_ scope: DescribedScope, _ found: inout [Diagnostic])
}

/// What descriptions say of the values that steps have.
struct DescribedScope {
  let context: LintContext
  let apis: DescribedAPIs
  /// The described requests, by the numbers of their steps.
  let calls: [Int: DescribedCall]

  init(_ context: LintContext, _ apis: DescribedAPIs) {
    self.context = context
    self.apis = apis
    calls = apis.calls(in: context)
  }

  /// A value, or a list of values that a query selects.
  struct DescribedValue {
    let shape: SchemaShape
    let isMany: Bool
    /// The step whose response it is a part of.
    let step: Int
    /// The way to it from the body of the response.
    let path: [BodyStep]
  }

  /// A step on the way from a body to a part of it.
  enum BodyStep {
    case segment(Segment)
    /// To each element of a list, which a loop goes through.
    case elements
  }

  /// A request of a step as a described one: its own, or a look-up.
  func call(of request: Request, _ step: LintStep) -> DescribedCall? {
    request === step.request
      ? calls[step.number] : DescribedCall(request, of: step, in: context, apis)
  }

  /// Values are looked for through at most so many others.
  private static let depthLimit = 8

  /// The value of an extractor of a described response; `nil` if nothing is known of it.
  func value(of extractor: Extractor, in step: Int) -> DescribedValue? {
    guard let call = calls[step], case .body(let query) = extractor.source,
      extractor.part == nil, extractor.defaultValue == nil
    else { return nil }
    let reading = call.responseShape.reading(query.value.segments)
    guard reading.missing == nil, !reading.shape.isUnknown else { return nil }
    let isMany = reading.isMany && (extractor.take == nil || call.request.paginate != nil)
    return DescribedValue(
      shape: reading.shape, isMany: isMany, step: step,
      path: query.value.segments.map(BodyStep.segment))
  }

  /// A query of the scope: the described value that it begins with, and the rest of the query.
  struct ScopeStart {
    let value: DescribedValue
    let rest: ArraySlice<Segment>
  }

  /// - Parameters:
  ///   - definition: What the first name stands for.
  ///   - block: The block of the reader.
  ///   - step: The reader, if it is a step.
  func start(
    of query: Query, _ definition: Definition, block: Int, step: Int?, depth: Int = 0
  ) -> ScopeStart? {
    guard depth < Self.depthLimit else { return nil }
    let rest = query.segments.dropFirst()
    switch definition {
    case .step(let level, let index):
      guard let around = context.ancestor(of: block, level: level) else { return nil }
      return value(of: context.steps[context.blocks[around].steps[index]], rest, depth)
    case .item(let level):
      let owner = level == 0 ? step : context.parent(of: block, level: level - 1)
      guard let owner, let item = item(of: context.steps[owner], depth) else { return nil }
      return ScopeStart(value: item, rest: rest)
    case .inputs, .state, .run, .itemIndex, .carried, .pageValue: return nil
    }
  }

  private func value(of step: LintStep, _ segments: ArraySlice<Segment>, _ depth: Int)
    -> ScopeStart?
  {
    guard step.step.otherwise == nil else { return nil }
    var rest = segments
    if step.step.forEach != nil {
      // A row of the collection.
      guard let row = rest.popFirst(), row.reach == .child, row.name == nil, row.names.isEmpty
      else { return nil }
    }
    guard let name = rest.popFirst()?.name else { return nil }
    switch step.step.action {
    case .request(let request):
      guard let extractor = request.extract.first(where: { $0.name.equals(bytes: name) }),
        let value = value(of: extractor, in: step.number)
      else { return nil }
      return ScopeStart(value: value, rest: rest)
    case .values(let fields):
      guard let field = fields.first(where: { $0.name.equals(bytes: name) }),
        let query = field.value.wholeReference,
        let value = value(of: query, in: step, depth + 1)
      else { return nil }
      return ScopeStart(value: value, rest: rest)
    case .call, .wait, .fail, .block: return nil
    }
  }

  /// The value of a whole query in a step.
  func value(of query: Query, in step: LintStep, _ depth: Int = 0) -> DescribedValue? {
    guard let name = query.firstName,
      let definition = step.definition(of: name),
      let start = start(
        of: query, definition, block: step.block, step: step.number, depth: depth),
      let reading = start.reading, reading.missing == nil, !reading.shape.isUnknown
    else { return nil }
    return DescribedValue(
      shape: reading.shape, isMany: reading.isMany, step: start.value.step, path: start.path)
  }

  /// An item of a collection.
  private func item(of step: LintStep, _ depth: Int) -> DescribedValue? {
    guard let forEach = step.step.forEach, !forEach.isBatched,
      case .query(let query) = forEach.source.value,
      let list = value(of: query.value, in: step, depth + 1)
    else { return nil }
    if list.isMany {
      return DescribedValue(
        shape: list.shape, isMany: false, step: list.step, path: list.path)
    }
    let elements = list.shape.children(listsOnly: true).shape
    return elements.isEmpty || elements.isUnknown
      ? nil
      : DescribedValue(
        shape: elements, isMany: false, step: list.step, path: list.path + [.elements])
  }
}

extension DescribedScope.ScopeStart {
  /// The way from the body to what the whole query selects. Of the nodes of a query, all are meant.
  var path: [DescribedScope.BodyStep] {
    let rest = value.isMany ? rest.dropFirst() : rest
    return value.path + rest.map(DescribedScope.BodyStep.segment)
  }

  /// What the rest of the query selects; `nil` if it asks a list for a name, which other rules judge.
  var reading: SchemaShape.QueryReading? {
    guard value.isMany else { return value.shape.reading(rest) }
    guard let first = rest.first else {
      return SchemaShape.QueryReading(shape: value.shape, isMany: true, missing: nil)
    }
    guard first.reach == .child, first.name == nil, first.names.isEmpty else { return nil }
    let reading = value.shape.reading(rest.dropFirst())
    return SchemaShape.QueryReading(
      shape: reading.shape, isMany: reading.isMany || !first.isSingular,
      missing: reading.missing, filters: reading.filters, deprecated: reading.deprecated)
  }
}

extension DescribedCall {
  static func responseShape(
    of reached: [Operation], _ step: LintStep, _ request: Request, _ description: APIDescription
  ) -> SchemaShape {
    guard request.read == nil, !reached.isEmpty, request === step.request else {
      return .unknown(in: description)
    }
    let patterns = step.step.expect.status
    return .union(
      reached.map { operation in
        let documented = description.statuses(of: operation)
        return description.responseShape(of: operation) { status in
          Self.isMeant(status, by: patterns, documented)
        }
      }, in: description)
  }

  /// Whether a documented status is one that a step expects.
  private static func isMeant(
    _ status: String, by patterns: [StatusPattern], _ documented: [String]
  ) -> Bool {
    patterns.contains { pattern in
      switch pattern {
      case .code(let code):
        let (exact, range) = ("\(code)", "\(code / 100)XX")
        if status == "default" {
          return !documented.contains { $0 == exact || $0.uppercased() == range }
        }
        return status == exact
          || status.uppercased() == range && !documented.contains(exact)
      case .class(let hundreds):
        // Beside other statuses it is rather that of failures.
        if status == "default" { return documented.count == 1 }
        return status.hasPrefix(bytes: "\(hundreds)") && status.utf8.count == 3
      }
    }
  }
}
