internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates

/// The values of a workflow's expressions in a scope. Performs no I/O except for a `$file`.
enum Evaluation {
  // MARK: Texts and conditions

  static func text(
    _ template: Written<Template>, at position: Position, in scope: Scope
  ) throws(FailureReason) -> String {
    do throws(ExpansionError) {
      return try template.value.expand(at: position) { scope.value(of: $0) }
    } catch {
      throw FailureReason(error, in: template)
    }
  }

  /// The path of a file. Each value fills one segment of it.
  static func path(_ template: Written<Template>, in scope: Scope) throws(FailureReason) -> String {
    for reference in template.value.references {
      guard let value = scope.value(of: reference)?.string else { continue }
      try checkSegments(value, of: reference, in: template)
    }
    return try text(template, at: .text, in: scope)
  }

  /// The paths that a template names: one for each element of a list that it is, else one.
  static func paths(_ template: Written<Template>, in scope: Scope) throws(FailureReason)
    -> [String]
  {
    guard let whole = template.value.whole, let list = scope.value(of: whole), list.kind == .array
    else { return [try path(template, in: scope)] }
    return try list.elements.filter { !$0.isNull }.map { element throws(FailureReason) in
      guard let path = element.string else {
        throw FailureReason(
          .value,
          "an element of '\(whole.text)' is \(element.kind.article), but a path is a text",
          at: template.range(of: whole.range))
      }
      try checkSegments(path, of: whole, in: template)
      return path
    }
  }

  private static func checkSegments(
    _ value: String, of reference: Template.Reference, in template: Written<Template>
  ) throws(FailureReason) {
    if let problem = PathSegments.problem(with: value, of: reference) {
      throw FailureReason(.value, problem, at: template.range(of: reference.range))
    }
  }

  static func holds(
    _ condition: Written<Condition>, in scope: Scope, current: JSONNode? = nil
  ) throws(FailureReason) -> Bool {
    do throws(ConditionError) {
      return try condition.value.holds(in: scope.queryContext(current: current))
    } catch {
      throw FailureReason(.value, error.message, at: condition.range(of: error.range))
    }
  }

  /// The values of the queries in a condition that does not hold, for the message.
  ///
  /// - Parameter shown: The text of what a query selects, without secrets.
  static func operands(
    of condition: Written<Condition>, in scope: Scope, current: JSONNode?,
    _ shown: (Query, JSONNode) -> String
  ) -> [String] {
    let context = scope.queryContext(current: current)
    var seen: Set<Query> = []
    let queries = condition.value.comparedQueries.filter { seen.insert($0).inserted }
    return queries.prefix(4).map { query in
      guard query.isSingular else {
        return "\(query.text) selects \(query.nodes(in: context).count)"
      }
      guard let node = query.first(in: context) else { return "\(query.text) is absent" }
      return "\(query.text) is \(shown(query, node))"
    }
  }

  // MARK: Data

  /// Writes a value. Returns false, and writes nothing, if it is absent.
  static func write(
    _ data: DataTemplate, to writer: inout JSONWriter, in scope: Scope, files: any FileAccess
  ) throws(FailureReason) -> Bool {
    let source = DataScope(scope: scope, files: files)
    do throws(DataError) {
      return try data.write(to: &writer, from: source)
    } catch {
      throw FailureReason(error)
    }
  }

  /// The text of an object with the fields as members, without absent ones.
  ///
  /// - Parameter error: The value of `error`, for a step that failed.
  static func text(
    of fields: [Field], error: FailureReason? = nil, in scope: Scope, files: any FileAccess
  ) throws(FailureReason) -> [UInt8] {
    var writer = JSONWriter(style: .compact, capacity: 16 * fields.count)
    writer.beginObject()
    try write(fields, to: &writer, in: scope, files: files)
    if let error {
      writer.name("error")
      error.write(to: &writer)
    }
    writer.endObject()
    return writer.bytes
  }

  private static func write(
    _ fields: [Field], to writer: inout JSONWriter, in scope: Scope, files: any FileAccess
  ) throws(FailureReason) {
    let source = DataScope(scope: scope, files: files)
    for field in fields {
      do throws(DataError) {
        try field.value.write(member: field.name, to: &writer, from: source)
      } catch {
        throw FailureReason(error)
      }
    }
  }

  /// The values of a `values` step.
  static func values(
    _ plan: ValuesPlan, of step: Step, in scope: Scope, from source: DataScope,
    _ secrets: StepSecrets
  ) throws(FailureReason) -> [UInt8] {
    var writer = JSONWriter(style: .compact, capacity: 16 * plan.members.count)
    var table = ValueTable()
    try table.write(plan, of: step, to: &writer, in: scope, from: source)
    try check(step.expect, values: writer.bytes, in: scope, secrets)
    return writer.bytes
  }

  /// Judges the values of a step that sends nothing.
  static func check(
    _ expectation: Expectation, values: [UInt8], in scope: Scope, _ secrets: StepSecrets
  ) throws(FailureReason) {
    guard !expectation.checks.isEmpty else { return }
    let current = ScopeValue(text: values).node
    try check(expectation.checks, in: scope, current: current, secrets) { condition in
      operands(of: condition, in: scope, current: current) { secrets.fact($0, $1) }
    }
  }

  /// Fails if a condition does not hold. The first such is the failure's message, and the others
  /// are among its hints.
  ///
  /// - Parameter facts: The values that a condition compares, for people.
  static func check(
    _ checks: [Expectation.Check], in scope: Scope, current: JSONNode, _ secrets: StepSecrets,
    facts: (Written<Condition>) -> [String]
  ) throws(FailureReason) {
    var failure: FailureReason?
    for check in checks {
      do throws(FailureReason) {
        guard try !holds(check.condition, in: scope, current: current) else { continue }
        let own = try check.message.map { message throws(FailureReason) in
          try secrets.message(message, in: scope)
        }
        let message = own ?? "the condition '\(check.condition.value.text)' does not hold"
        let facts = facts(check.condition)
        guard failure != nil else {
          failure = FailureReason(.expect, message, at: check.condition.range, hints: facts)
          continue
        }
        failure?.hints += ["and " + message] + facts
      } catch {
        throw failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// The failure that an author asks for.
  static func failure(
    _ wanted: IntendedFailure, in scope: Scope, files: any FileAccess, _ secrets: StepSecrets
  ) throws(FailureReason) -> FailureReason {
    var failure = FailureReason(
      .fail, try secrets.message(wanted.message, in: scope), at: wanted.message.range)
    if let details = wanted.details {
      failure.details = try secrets.details(details, in: scope, files: files)
    }
    return failure
  }

  // MARK: Collections

  /// How many items may run at once, or are taken together; `nil` if the author does not say.
  static func amount(
    _ number: Written<Int>?, _ data: DataTemplate?, _ key: String, atLeast minimum: Int = 1,
    in scope: Scope, files: any FileAccess
  ) throws(FailureReason) -> Int? {
    guard let data else { return number?.value }
    var writer = JSONWriter(style: .compact)
    let isPresent = try write(data, to: &writer, in: scope, files: files)
    do throws(Iteration.Problem) {
      return try Iteration.amount(
        isPresent ? writer.document().root : nil, of: key, atLeast: minimum)
    } catch {
      throw FailureReason(.value, error.message, at: data.node.range)
    }
  }

  /// The items that a `forEach` runs over.
  static func items(
    of iteration: Iteration, in scope: Scope, files: any FileAccess, _ spools: RowSpools? = nil
  ) throws(FailureReason) -> Items {
    let batch = try amount(iteration.batch, iteration.batchData, "batch", in: scope, files: files)
    switch iteration.source.value {
    case .query(let query):
      if !iteration.isDistinct, let rows = scope.rows(query.value) {
        return Items(rows, batch: batch)
      }
      if let rows = spools.flatMap({ spooledRows(query.value, in: scope, $0) }) {
        return Items(rows, batch: batch)
      }
      let nodes = try nodes(of: query, in: scope)
      if iteration.isDistinct {
        return Items((nodes.list ?? Array(nodes.elements)).distinct, batch: batch)
      }
      if let list = nodes.list { return Items(list, batch: batch) }
      return Items(elementsOf: nodes.node, batch: batch)
    case .list(let data), .windows(let data):
      if !iteration.isDistinct, let rows = try fileRows(data, in: scope, files: files) {
        return Items(rows, batch: batch)
      }
      var writer = JSONWriter(style: .compact)
      guard try write(data, to: &writer, in: scope, files: files) else {
        throw FailureReason(
          .value, "the value of the form is absent, but 'forEach' needs a list",
          at: iteration.source.range)
      }
      let list = writer.document().root
      guard list.kind == .array else {
        throw FailureReason(
          .value, "the value of the form is \(list.kind.article), but 'forEach' needs a list",
          at: iteration.source.range)
      }
      return iteration.isDistinct
        ? Items(list.elements.distinct, batch: batch)
        : Items(elementsOf: list, batch: batch)
    // The round after the last one fails.
    case .rounds(let rounds): return Items(roundsUpTo: rounds.maxRounds + 1)
    case .range(let from, let to, let by):
      let first = try integer(from, "from", iteration, scope, files)
      let last = try integer(to, "to", iteration, scope, files)
      let step =
        try by.map { by throws(FailureReason) in try integer(by, "by", iteration, scope, files) }
        ?? 1
      do throws(Iteration.Problem) {
        let count = try Iteration.count(from: first, to: last, by: step)
        return Items(from: first, by: step, count: count, batch: batch)
      } catch {
        throw FailureReason(.value, error.message, at: iteration.source.range)
      }
    }
  }

  /// The rows of a response that wait on the disk; `nil` if the value is something else.
  private static func spooledRows(
    _ query: Query, in scope: Scope, _ spools: RowSpools
  ) -> FileRows? {
    guard query.anchor == .root, query.firstNames.count == 1,
      query.segments.count == 2 || query.segments.count == 3 && query.segments[2].isWildcard,
      let name = query.segments[1].name,
      let value = scope.value(named: query.firstNames[0])
    else { return nil }
    return spools.spool(for: value[name]).flatMap { FileRows.of($0) }
  }

  /// The rows of a large file, in pieces; `nil` if the value is something else.
  private static func fileRows(
    _ data: DataTemplate, in scope: Scope, files: any FileAccess
  ) throws(FailureReason) -> FileRows? {
    let file: DataTemplate.FileOfRows?
    do throws(DataError) {
      file = try data.fileOfRows(from: DataScope(scope: scope, files: files))
    } catch {
      throw FailureReason(error)
    }
    guard let file else { return nil }
    do throws(FileError) {
      return try FileRows.of(file.path, file.format, file.charset, files)
    } catch {
      throw FailureReason(
        Interruption.isRaised ? .cancelled : .file, error.message, at: file.range)
    }
  }

  /// The value of a `forEach` query: the list itself if it is singular.
  private struct Selection {
    let node: JSONNode
    let list: [JSONNode]?

    var elements: JSONNode.Elements { node.elements }
  }

  private static func nodes(
    of query: Written<Query>, in scope: Scope
  ) throws(FailureReason) -> Selection {
    let context = scope.queryContext()
    guard query.value.isSingular else {
      return Selection(node: JSONValue.null.node, list: query.value.nodes(in: context))
    }
    guard let node = query.value.first(in: context) else {
      throw FailureReason(
        .value, "'\(query.value.text)' is absent, but 'forEach' needs a list", at: query.range)
    }
    guard node.kind == .array else {
      throw FailureReason(
        .value,
        "'\(query.value.text)' is \(node.kind.article), but 'forEach' needs a list"
          + (node.kind == .number
            ? "; to count up to it write {\"from\": 1, \"to\": \"{{\(query.value.text.dropFirst(2))}}\"}"
            : ""),
        at: query.range)
    }
    return Selection(node: node, list: nil)
  }

  private static func integer(
    _ data: DataTemplate, _ key: String, _ iteration: Iteration, _ scope: Scope,
    _ files: any FileAccess
  ) throws(FailureReason) -> Int {
    var writer = JSONWriter(style: .compact)
    let isPresent = try write(data, to: &writer, in: scope, files: files)
    do throws(Iteration.Problem) {
      return try Iteration.bound(isPresent ? writer.document().root : nil, of: key)
    } catch {
      throw FailureReason(.value, error.message, at: iteration.source.range)
    }
  }
}

extension FailureReason {
  init(_ error: DataError) {
    self.init(error.isOfFile ? .file : .value, error.message, at: error.range)
  }
}
