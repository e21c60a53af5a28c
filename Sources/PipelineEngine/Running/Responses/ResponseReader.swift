internal import PipelineByteText
internal import PipelineFormats
internal import PipelineHTTPTerms
internal import PipelineJSONPaths
internal import PipelineJSONSchemas
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

/// Takes the values of a step out of a response: judges what is expected, then extracts.
struct ResponseReader {
  let step: RequestStep
  let body: ResponseBody
  /// How many attempts it took to get the response.
  let attempts: Int
  /// The page's number, from 0, if the step reads pages.
  var page: Int?

  private var plan: RequestPlan { step.plan }
  private var expectation: Expectation { step.unit.stepPlan.step.expect }
  var scope: Scope { step.scope }
  var redactor: Redactor { step.redactor }
  var files: any FileAccess { step.files }
  /// The URL that answered, after redirects.
  var url: RequestURL { body.url }
  private var status: Int { body.response.status }

  /// Whether the status counts as done although it is not expected: an earlier attempt has deleted
  /// what is now gone.
  private var isDoneAlready: Bool {
    attempts > 1 && plan.request.method == "DELETE" && (status == 404 || status == 410)
  }

  /// The text of the object that holds the step's values.
  func read() throws(FailureReason) -> [UInt8] {
    try judge()
    let values = try extract()
    if expectation.readsValues { try check(values: values) }
    return values
  }

  /// Fails if the response is not as expected, as far as that is known without the values.
  func judge() throws(FailureReason) {
    try checkStatus()
    try checkContentType()
    try checkReading()
    try checkGraphQL()
    try checkSchema()
    try checkDescription()
    if !expectation.readsValues { try check(values: nil) }
  }

  // MARK: Expect

  func checkStatus() throws(FailureReason) {
    guard !expectation.status.contains(where: { $0.matches(status) }), !isDoneAlready else {
      return
    }
    let wanted = expectation.status.map(\.description)
    throw FailureReason(
      .status,
      "answered \(HTTPStatus.text(status))"
        + (expectation.statusNode == nil
          ? "" : ", but the step expects \(wanted.joined(separator: " or "))"),
      at: expectation.statusNode?.range ?? plan.request.endpoint.range,
      hints: graphQLError.map { ["GraphQL: " + $0] } ?? [])
  }

  private func checkContentType() throws(FailureReason) {
    guard let wanted = expectation.contentType,
      ResponseBody.mediaType(wanted.value) != body.mediaType
    else { return }
    throw FailureReason(
      .expect,
      "the body is '\(body.mediaType)', but the step expects '\(wanted.value)'", at: wanted.range)
  }

  /// Fails if the body is not of the format in which the step reads it.
  private func checkReading() throws(FailureReason) {
    guard let read = body.reading?.read, case .unfit(let problem) = body.content else { return }
    throw FailureReason(
      problem.isOtherKind ? .expect : .extract, "the body " + shown(problem), at: read.node.range)
  }

  /// A message may quote a field.
  private func shown(_ problem: BodyProblem) -> String {
    let facts = ResponseFacts(self)
    return facts.hidesBody
      ? "cannot be read as the step says" : facts.shown(problem.message, to: 500)
  }

  /// Says the first violation of the schema. The others are hints.
  private func checkSchema() throws(FailureReason) {
    guard let schema = expectation.schema else { return }
    guard let json = body.json else {
      throw FailureReason(
        .schema, "the body is not JSON, but the step expects a body that satisfies its schema",
        at: schema.node.range)
    }
    let violations = schema.validate(json, limit: 5)
    guard let first = violations.first else { return }
    // A message may quote the value that is not allowed.
    let facts = ResponseFacts(self)
    let messages = violations.map { violation in
      facts.hidesBody
        ? "'\(violation.instancePath)' does not satisfy '\(violation.keyword)'"
        : facts.hidingValue(in: violation.message)
    }
    throw FailureReason(
      .schema, messages[0], at: first.schemaRange, hints: Array(messages.dropFirst()))
  }

  /// GraphQL over HTTP answers 200 even if the query failed.
  private func checkGraphQL() throws(FailureReason) {
    guard let message = graphQLError else { return }
    throw FailureReason(
      .expect, "the GraphQL response has an error: " + message, at: plan.request.body?.node.range)
  }

  /// The message of the first error in the answer to a GraphQL query, and how many more there are.
  private var graphQLError: String? {
    guard case .graphQL? = plan.request.body?.content, let errors = body.json?["errors"],
      errors.kind == .array, errors.count > 0
    else { return nil }
    let message = errors[0]?["message"]?.string ?? "without a message"
    let more = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
    return ResponseFacts(self).shown(message, to: 500) + more
  }

  private func check(values: [UInt8]?) throws(FailureReason) {
    guard !expectation.checks.isEmpty else { return }
    let view = try ResponseView(body: body, url: url.text, values: values)
      .node(for: expectation.checks.map(\.condition))
    try Evaluation.check(expectation.checks, in: scope, current: view, step.facts) {
      facts(of: $0, in: view)
    }
  }

  /// The values that a condition compares, for a message.
  func facts(of condition: Written<Condition>, in view: JSONNode) -> [String] {
    let (own, response) = (step.facts, ResponseFacts(self))
    let operands = Evaluation.operands(of: condition, in: scope, current: view) {
      own.fact($0, $1, response: response.text(of:at:))
    }
    let mixed = condition.value.mixedComparison(in: scope.queryContext(current: view))
    return operands + (mixed.map { [$0.message] } ?? [])
  }

  // MARK: Extract

  /// The values alone, without judging the response.
  func extractOnly() throws(FailureReason) -> [UInt8] { try extract() }

  private func extract() throws(FailureReason) -> [UInt8] {
    var writer = JSONWriter(style: .compact, capacity: Self.usualSize * plan.request.extract.count)
    writer.beginObject()
    let queryContext = body.json.map { scope.queryContext(body: $0) }
    for extractor in plan.request.extract {
      if let rows = body.rows?[extractor.name] {
        writer.name(extractor.name)
        writer.raw(rows)
        continue
      }
      if let query = extractor.queryOfOneNode, let queryContext,
        let node = query.first(in: queryContext)
      {
        noteRepeatedNames(query)
        writer.name(extractor.name)
        writer.value(node)
      } else {
        try Extraction(extractor: extractor, reader: self).write(to: &writer)
      }
    }
    writer.endObject()
    return writer.bytes
  }

  /// Says why a filter selected nothing, if it compares texts with numbers.
  func noteMixedComparison(_ query: Query, _ context: QueryContext) {
    guard step.notes.sink != nil, let mixed = query.mixedComparison(in: context) else { return }
    step.noteOnce(mixed.message)
  }

  /// Says that the first of several members of the same name was taken, which is not what every
  /// other program takes.
  func noteRepeatedNames(_ query: Query) {
    guard step.notes.sink != nil else { return }
    for name in repeatedNames(query) {
      step.noteOnce(
        "the body has '\(name)' more than once in an object that '\(query.text)' goes through;"
          + " the first one is used")
    }
  }

  /// The names in a query that are duplicate members of an object on its way.
  func repeatedNames(_ query: Query) -> [String] {
    guard var node = body.json else { return [] }
    var names: [String] = []
    for segment in query.segments {
      guard let name = segment.name else { return names }
      if node.repeats(name) { names.append(name) }
      guard let next = node[name] else { return names }
      node = next
    }
    return names
  }

  /// Bytes of an extractor's name and its value, in most cases.
  private static let usualSize = 64
}

extension Extractor {
  /// The form of most extractors: a query of the body for one node, without further processing.
  fileprivate var queryOfOneNode: Query? {
    guard case .body(let query) = source, query.value.isSingular,
      type == nil, part == nil
    else { return nil }
    return query.value
  }
}

/// `@` of a condition that judges a response.
struct ResponseView {
  let body: ResponseBody
  let url: String
  let values: [UInt8]?

  /// `{status, headers, body, text, cookies, url, elapsed, values}` (language.md §7).
  ///
  /// - Parameter conditions: Those that it is made for. A text that none of them reads is left out.
  /// - Throws: If one of them reads a text that the body's bytes are not.
  func node(for conditions: [Written<Condition>]) throws(FailureReason) -> JSONNode {
    let response = body.response
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.name("status")
    writer.integer(response.status)
    writer.name("headers")
    writer.beginObject()
    for (name, value) in response.joinedHeaders {
      writer.name(name)
      writer.string(value)
    }
    writer.endObject()
    switch body.content {
    case .json(let node):
      writer.name("body")
      writer.value(node)
    case .text, .broken, .unreadable, .unfit:
      try write("body", to: &writer, for: conditions)
    case .empty: break
    }
    try write("text", to: &writer, for: conditions)
    writer.name("cookies")
    writer.beginObject()
    for (name, value) in response.cookies {
      writer.name(name)
      writer.string(value)
    }
    writer.endObject()
    writer.name("url")
    writer.string(url)
    writer.name("elapsed")
    writer.number(String(response.timings.total.seconds))
    if let values {
      writer.name("values")
      writer.raw(values)
    }
    writer.endObject()
    return writer.document().root
  }

  /// Writes the body's text as the member `name`, if a condition looks at it.
  private func write(
    _ name: String, to writer: inout JSONWriter, for conditions: [Written<Condition>]
  ) throws(FailureReason) {
    guard conditions.contains(where: { $0.value.mayRead(name) }) else { return }
    let text: String
    do throws(ResponseBody.TextProblem) {
      text = try body.text()
    } catch {
      if let reader = conditions.first(where: { $0.value.dependsOnText(name) }) {
        throw FailureReason(
          .expect, "the condition reads '@.\(name)', but the body \(error.message)",
          at: reader.range)
      }
      // Conditions only ask whether it exists.
      text = ""
    }
    writer.name(name)
    writer.string(text)
  }
}

extension TransportResponse {
  /// Header names in lower case, each once. The values of a repeated one are joined with `, `.
  var joinedHeaders: [(name: String, value: String)] {
    var joined: [(name: String, value: String)] = []
    var positions: [ExactText: Int] = [:]
    for field in headers {
      let name = field.name.lowercasedASCII
      if let position = positions[ExactText(name)] {
        joined[position].value += ", " + field.value
      } else {
        positions[ExactText(name)] = joined.count
        joined.append((name, field.value))
      }
    }
    return joined
  }

  /// The cookies that the response sets, the last of each name (RFC 6265 §4.1).
  var cookies: [(name: String, value: String)] {
    var cookies: [(name: String, value: String)] = []
    for field in headers where field.name.equalsIgnoringASCIICase("set-cookie") {
      let pair = field.value.prefix(before: ";")
      guard let equals = pair.firstIndex(ascii: "=") else { continue }
      let name = pair[..<equals].trimmed
      var value = pair[pair.utf8.index(after: equals)...].trimmed
      if value.utf8.count >= 2, value.hasPrefix(bytes: "\""), value.hasSuffix(bytes: "\"") {
        value = String(value.dropFirst(bytes: 1).dropLast(bytes: 1))
      }
      cookies.removeAll { $0.name.equals(bytes: name) }
      cookies.append((name, value))
    }
    return cookies
  }
}
