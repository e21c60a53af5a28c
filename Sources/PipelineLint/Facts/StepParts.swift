import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A condition of a workflow, taken apart once for all rules.
struct LintCondition {
  let written: Written<Condition>
  let place: ConditionPlace
  let walk: ConditionWalk

  init(_ written: Written<Condition>, _ place: ConditionPlace) {
    self.written = written
    self.place = place
    walk = ConditionWalk(written.value.expression)
  }

  func range(of part: Range<Int>) -> Range<Int> { written.range(of: part) }

  /// A part of the condition's text.
  func text(of part: Range<Int>) -> String {
    String(decoding: Array(written.value.text.utf8)[part], as: UTF8.self)
  }

  /// The suggestion that writes another text for a part; `nil` if it needs escapes in JSON.
  func fix(_ text: String, for part: Range<Int>) -> DiagnosticFix? {
    WorkflowDecoder.fix(text, for: part, in: written.node, isSafe: false)
  }
}

/// The parts of a step, sorted for the needs of rules: queries, conditions, calls and texts.
///
/// `Step.uses` has the reads of a step.
struct StepParts {
  /// Queries of the response's body that hold other queries.
  private(set) var nestingQueries: [Written<Query>] = []
  private(set) var conditions: [LintCondition] = []
  /// The function calls in conditions and in filters, each with the string that contains it.
  private(set) var calls: [(call: FunctionCall, node: JSONNode)] = []
  /// The comparisons in conditions and in filters, each with the string that contains it.
  private(set) var comparisons: [(comparison: Comparison, node: JSONNode)] = []
  /// Strings of the author's own: URLs, headers, data.
  private(set) var literals: [(node: JSONNode, site: Site, isInherited: Bool)] = []
  /// The queries that compute a key, each with the string that contains it.
  private(set) var keyedQueries: [(query: Query, node: JSONNode, isOfBody: Bool)] = []
  /// Data with forms that take values of one type.
  private(set) var forms: [DataTemplate] = []

  /// The parts of values that are made when the steps of a block have ended.
  init(fields: [Field]) {
    for field in fields { add(field.value, .data, isInherited: false) }
  }

  init(_ step: Step) {
    step.forEach?.forEachPart { add($0) }
    step.forEachPart { add($0) }
  }

  private mutating func add(_ part: StepPart) {
    switch part.content {
    case .text(let template, let site), .path(let template, let site):
      addLiteral(template.node, site, part.isInherited)
    case .url(let url): addLiteral(url.node, .url(.path), part.isInherited)
    // It comes from 'defaults', and is judged there.
    case .baseURL: break
    case .endpoint(let endpoint): addLiteral(endpoint.node, .url(.path), part.isInherited)
    case .data(let data, let site): add(data, site, isInherited: part.isInherited)
    case .scopeQuery(let query):
      addCalls(in: query)
      noteKeys(of: query.value, in: query.node)
    case .bodyQuery(let query): add(body: query)
    case .condition(let condition, let place): add(condition, place)
    }
  }

  private mutating func add(_ condition: Written<Condition>, _ place: ConditionPlace) {
    let taken = LintCondition(condition, place)
    conditions.append(taken)
    for call in taken.walk.calls { calls.append((call, condition.node)) }
    for comparison in taken.walk.comparisons + taken.walk.filterComparisons {
      comparisons.append((comparison, condition.node))
    }
    for query in taken.walk.queries { noteKeys(of: query, in: condition.node) }
  }

  private mutating func add(body query: Written<Query>) {
    guard query.value.hasInner else { return }
    noteKeys(of: query.value, in: query.node, isOfBody: true)
    if query.value.references.absoluteQueries.count > 1 { nestingQueries.append(query) }
    addCalls(in: query)
  }

  private mutating func noteKeys(of query: Query, in node: JSONNode, isOfBody: Bool = false) {
    if query.hasKey { keyedQueries.append((query, node, isOfBody)) }
  }

  private mutating func addCalls(in query: Written<Query>) {
    guard query.value.hasInner else { return }
    let walk = ConditionWalk(filtersOf: query.value)
    for call in walk.calls { calls.append((call, query.node)) }
    for comparison in walk.filterComparisons { comparisons.append((comparison, query.node)) }
  }

  private mutating func addLiteral(_ node: JSONNode, _ site: Site, _ isInherited: Bool) {
    if literals.isEmpty { literals.reserveCapacity(4) }
    literals.append((node, site, isInherited))
  }

  private mutating func add(_ data: DataTemplate, _ site: Site, isInherited: Bool) {
    for (query, node) in data.queries {
      addCalls(in: Written(query, at: node))
      noteKeys(of: query, in: node)
    }
    if data.hasTypedForms { forms.append(data) }
    addLiteral(data.node, site, isInherited)
  }
}
