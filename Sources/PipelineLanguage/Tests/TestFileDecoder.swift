import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
package import PipelineSourceText

extension WorkflowTest {
  /// The content of a text in the form of `respond`, and all its problems.
  package static func respond(
    _ text: String
  ) -> (source: SourceFile, answers: [StepAnswers], diagnostics: [Diagnostic]) {
    let file = WorkflowText(SourceFile(name: "respond", bytes: Array(text.utf8)))
    var decoder = WorkflowDecoder(source: file.source, document: file.document)
    let answers = decoder.respond(file.document.root)
    let found = file.problems.map { Diagnostic($0) }
    return (file.source, answers, found.isEmpty ? decoder.diagnostics : found)
  }
}

extension WorkflowDecoder {
  fileprivate mutating func respond(_ node: JSONNode) -> [StepAnswers] {
    members(of: node, "respond").compactMap { answers($0) }
  }

  /// The whole test file; `nil` if it lacks what it cannot do without.
  package mutating func testFile() -> TestFile? {
    guard let fields = fields(of: document.root, .tests, .tests) else { return nil }
    let workflow = writtenText(fields["workflow"], "workflow")
    var tests: [WorkflowTest] = []
    if let list = fields["tests"] {
      for (number, node) in elements(of: list, "tests", "a list of tests").enumerated() {
        if let test = test(node, number: number + 1) { tests.append(test) }
      }
      if list.kind == .array, list.count == 0 {
        report(.invalidValue, "'tests' is empty; add a test or remove the file", at: list.range)
      }
    }
    reportRepeatedNames(of: tests)
    guard let workflow else { return nil }
    return TestFile(source: source, workflow: workflow, tests: tests)
  }

  private mutating func reportRepeatedNames(of tests: [WorkflowTest]) {
    var seen: [ExactText: Range<Int>] = [:]
    for test in tests {
      if let first = seen.updateValue(test.name.range, forKey: ExactText(test.name.value)) {
        report(
          .duplicateName, "two tests have the name '\(test.name.value)'; rename one",
          at: test.name.range, related: [.init(range: first, message: "the other is here")])
      }
    }
  }

  private mutating func elements(
    of node: JSONNode, _ name: String, _ wanted: String
  ) -> [JSONNode] {
    guard node.kind == .array else {
      mistyped(
        node, name, wanted, hint: node.kind == .string ? "; write [\(node.text)]" : "")
      return []
    }
    return Array(node.elements)
  }

  private mutating func members(of node: JSONNode?, _ name: String) -> [JSONMember] {
    guard let node else { return [] }
    guard node.kind == .object else {
      mistyped(node, name, "an object")
      return []
    }
    return Array(node.members)
  }

  private mutating func test(_ node: JSONNode, number: Int) -> WorkflowTest? {
    let place: Place =
      node["name"]?.string.map { .named("test", $0) } ?? .numbered("test", number)
    guard let fields = fields(of: node, .test, place) else { return nil }
    guard let name = writtenText(fields["name"], "name") else { return nil }
    var test = WorkflowTest(name: name, node: node)
    for member in members(of: fields["inputs"], "inputs") {
      test.inputs[member.name] = JSONValue(member.value)
    }
    test.environment = writtenText(fields["environment"], "environment")
    for member in members(of: fields["state"], "state") {
      test.state[member.name] = JSONValue(member.value)
    }
    test.concurrency = integer(fields["concurrency"], "concurrency", minimum: 1)
    if let respond = fields["respond"] {
      test.respond = self.respond(respond)
      test.respondRange = fields.member("respond")?.nameRange
    }
    test.replay = writtenText(fields["replay"], "replay")
    test.orders = integer(fields["orders"], "orders", minimum: 1) ?? 1
    if let ignore = fields["ignore"] {
      for node in elements(of: ignore, "ignore", "a list of queries such as [\"$.updatedAt\"]") {
        if let query = bodyQuery(node, "ignore") { test.ignored.append(query.value) }
      }
    }
    if let expect = fields["expect"] { test.expected = expected(expect) }
    return test
  }

  // MARK: Answers

  private mutating func answers(_ member: JSONMember) -> StepAnswers? {
    let steps = member.name.split(ascii: ",").map {
      String(decoding: Array($0.utf8).trimmingSpaces, as: UTF8.self)
    }
    let value = member.value
    let form: StepAnswers.Form
    if value.kind == .array {
      form = .listed(value.elements.compactMap { answer($0, member.name) })
      if value.count == 0 {
        report(
          .invalidValue, "the list of answers of '\(member.name)' is empty", at: value.range)
      }
    } else if value.kind == .object, value["items"] != nil {
      guard let fields = fields(of: value, .itemAnswers, .named("the answers of", member.name)),
        let items = fields["items"]
      else { return nil }
      var lists: [[TestAnswer]] = []
      var areLists: [Bool] = []
      for node in elements(of: items, "items", "a list with an answer for each item") {
        let nodes = node.kind == .array ? Array(node.elements) : [node]
        lists.append(nodes.compactMap { answer($0, member.name) })
        areLists.append(node.kind == .array)
      }
      form = .items(lists, areLists: areLists)
    } else {
      guard let answer = answer(value, member.name) else { return nil }
      form = .all(answer)
    }
    return StepAnswers(steps: steps, range: member.nameRange, form: form)
  }

  private mutating func answer(_ node: JSONNode, _ step: String) -> TestAnswer? {
    guard let fields = fields(of: node, .answer, .named("the answer of", step)) else { return nil }
    var answer = TestAnswer(range: node.range)
    if let value = fields["json"] {
      answer.content = .json(value)
    } else if let value = fields["text"] {
      answer.content = text(value, "text", allowsEmpty: true).map { .text($0) } ?? .none
    } else if let value = fields["file"] {
      answer.content = writtenText(value, "file").map { .file($0) } ?? .none
    } else if let value = fields["fault"] {
      let fault: TestAnswer.Fault? = choice(value, "fault")
      answer.content = fault.map { .fault($0) } ?? .none
    } else if let value = fields["values"] {
      if value.kind != .object { mistyped(value, "values", "an object of values") }
      answer.content = .values(value)
    }
    if let status = integer(fields["status"], "status", minimum: 100) {
      if status > 599 {
        report(
          .invalidValue, "'status' must be at most 599", at: fields["status"]?.range ?? node.range)
      }
      answer.status = status
    }
    for member in members(of: fields["headers"], "headers") {
      if let value = text(member.value, member.name, allowsEmpty: true) {
        answer.headers.append((member.name, value))
      }
    }
    answer.delay = duration(fields["after"], "after", allowsZero: true) ?? .zero
    reportUseless(fields)
    return answer
  }

  /// Reports settings of a response that has none.
  private mutating func reportUseless(_ fields: ObjectFields) {
    for content in ["fault", "values"] where fields.has(content) {
      for key in ["status", "headers"] where fields.has(key) {
        guard let member = fields.member(key) else { continue }
        report(
          .conflictingKeys, "'\(key)' has no effect beside '\(content)'; remove one of them",
          at: member.nameRange)
      }
    }
  }

  // MARK: Expectations

  private mutating func expected(_ node: JSONNode) -> ExpectedRun {
    var expected = ExpectedRun()
    guard let fields = fields(of: node, .expected, .key("expect")) else { return expected }
    expected.status = writtenChoice(fields["status"], "status")
    expected.outputs = object(fields["outputs"], "outputs", "an object of outputs")
    expected.state = object(fields["state"], "state", "an object of values")
    expected.files = object(fields["files"], "files", "an object with contents by path")
    expected.isExact = boolean(fields["exactly"], "exactly") ?? false
    if let list = fields["where"] {
      for node in elements(of: list, "where", "a list of conditions") {
        guard let text = node.string else {
          mistyped(node, "where", "a condition such as \"$.elapsed < 60\"")
          continue
        }
        switch Condition.parse(text) {
        case .success(let condition):
          checkNames(of: condition, in: node)
          expected.conditions.append(Written(condition, at: node))
        case .failure(let error): report(error, .condition, in: node)
        }
      }
    }
    if let list = fields["failures"] {
      for node in elements(of: list, "failures", "a list of failures") {
        if let failure = failure(node) { expected.failures.append(failure) }
      }
    }
    return expected
  }

  private mutating func object(
    _ node: JSONNode?, _ name: String, _ wanted: String
  ) -> JSONNode? {
    guard let node else { return nil }
    if node.kind == .object { return node }
    mistyped(node, name, wanted)
    return nil
  }

  private mutating func failure(_ node: JSONNode) -> ExpectedRun.Failure? {
    guard let fields = fields(of: node, .expectedFailure, .key("failures")),
      let step = writtenText(fields["step"], "step")
    else { return nil }
    var kind = text(fields["kind"], "kind")
    if let given = kind, !ExpectedRun.failureKinds.contains(given), let node = fields["kind"] {
      report(
        .invalidValue,
        "'kind' must be one of \(Self.options(ExpectedRun.failureKinds)), not \"\(given)\""
          + Spelling.didYouMean(given, among: ExpectedRun.failureKinds), at: node.range)
      kind = nil
    }
    return ExpectedRun.Failure(
      step: step, item: integer(fields["item"], "item", minimum: 0), kind: kind,
      status: integer(fields["status"], "status", minimum: 100),
      message: text(fields["message"], "message"), range: node.range)
  }

  /// The reads of a test's conditions.
  static let testScope = [
    "outputs", "state", "files", "requests", "steps", "failures", "elapsed", "status",
  ]

  private mutating func checkNames(of condition: Condition, in node: JSONNode) {
    // It would be absent, and a comparison with '!=' would always hold.
    for query in ConditionWalk(condition.expression).queries where query.anchor == .current {
      let path = "$" + query.text.dropFirst(bytes: 1)
      report(
        "unknown-reference", "'@' has no value in a test's conditions; write '\(path)'",
        at: node.sourceRange(ofDecoded: query.range))
    }
    for reference in condition.references {
      guard let name = reference.query.firstNames.first, !Self.testScope.contains(name) else {
        continue
      }
      report(
        "unknown-reference",
        "'\(reference.query.text)' reads '\(name)', which a test does not have"
          + Spelling.didYouMean(name, among: Self.testScope),
        at: node.sourceRange(ofDecoded: reference.range))
    }
  }
}

extension [UInt8] {
  /// Without spaces at both ends.
  fileprivate var trimmingSpaces: ArraySlice<UInt8> {
    let start = firstIndex { $0 != 0x20 } ?? endIndex
    let end = lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? start
    return self[start..<end]
  }
}
