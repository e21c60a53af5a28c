internal import PipelineByteText
package import PipelineJSONText
package import PipelineLanguage
package import PipelinePlanning
internal import PipelineSourceText

/// The answers to one question, as inputs.
package struct Answers {
  let inputs: [Input]
  /// The name of the question and a dot, for messages.
  let prefix: String
  var startedAt = 0.0

  init(of inputs: [Input], before prefix: String, startedAt: Double = 0) {
    self.inputs = inputs
    self.prefix = prefix
    self.startedAt = startedAt
  }

  /// What people mean by yes and no; `nil` if a text is none of their words.
  package static func boolean(meantBy text: String) -> Bool? {
    switch text.lowercasedASCII {
    case "y", "yes": true
    case "n", "no": false
    default: nil
    }
  }

  /// The values with their types, and all that is wrong.
  func values(_ given: [String: JSONValue]) -> (values: JSONNode, problems: [InputProblem]) {
    InputValues(
      inputs: inputs, startedAt: startedAt, noun: "answer", prefix: prefix
    ).values(given)
  }
}

/// The name of an answer: `confirm.answer`, and inside items `each.confirm[3].answer`, or
/// `each[3].confirm.answer`.
struct AnswerName: Hashable {
  /// The step's id, after the ids of the blocks around it.
  let step: String
  /// The positions of the items around it; empty: whatever they are.
  let path: [Int]
  let answer: String

  /// `nil` if the text names no answer.
  init?(_ text: String) {
    var names: [String] = []
    var path: [Int] = []
    for part in text.split(ascii: ".", omittingEmptySubsequences: false) {
      var rest = part[...]
      let name = rest.prefix(before: "[")
      guard !name.isEmpty else { return nil }
      rest = rest[name.endIndex...]
      while !rest.isEmpty {
        guard rest.hasPrefix(bytes: "["), let end = rest.firstIndex(ascii: "]"),
          let position = Int(rest[rest.utf8.index(after: rest.startIndex)..<end]), position >= 0
        else { return nil }
        path.append(position)
        rest = rest[rest.utf8.index(after: end)...]
      }
      names.append(String(name))
    }
    guard names.count > 1, let answer = names.popLast() else { return nil }
    step = names.joined(separator: ".")
    self.path = path
    self.answer = answer
  }
}

extension RunOptions {
  /// The given answers to a question.
  func answers(toStep step: String, at path: [Int]) -> [String: JSONValue] {
    guard !answers.isEmpty else { return [:] }
    var found: [String: JSONValue] = [:]
    // The more precise names come last.
    let names = answers.compactMap { key, value in AnswerName(key).map { ($0, value) } }
    for (name, value) in names.sorted(by: { $0.0.path.count < $1.0.path.count })
    where name.step.equals(bytes: step) && (name.path.isEmpty || name.path == path) {
      found[name.answer] = value
    }
    return found
  }
}

extension Plan {
  /// What is wrong with answers that are given beforehand.
  ///
  /// - Parameter answers: By their names.
  package func problems(withAnswers answers: [String: JSONValue]) -> [InputProblem] {
    guard !answers.isEmpty else { return [] }
    let questions = questions()
    let known = questions.flatMap { step, question in
      question.answers.map { step + "." + $0.name }
    }
    return answers.sorted { $0.key < $1.key }.compactMap { key, value in
      guard let name = AnswerName(key),
        let question = questions.first(where: { $0.step.equals(bytes: name.step) })?.question,
        let answer = question.answers.first(where: { $0.name.equals(bytes: name.answer) })
      else {
        let way =
          known.isEmpty
          ? "the workflow asks nothing"
          : "the workflow asks no such thing"
            + (Spelling.nearest(to: key, among: known).map { "; did you mean '\($0)'?" }
              ?? "; there is: " + known.prefix(20).joined(separator: ", "))
        return InputProblem(name: key, message: "answer '\(key)' does not exist: \(way)")
      }
      return Answers(of: [answer], before: name.step + ".").values([answer.name: value]).problems
        .first
    }
  }

  /// Answers of a command line: what has no type is JSON if it is JSON, and yes and no are booleans.
  package func read(answers: [String: JSONValue]) -> [String: JSONValue] {
    guard !answers.isEmpty else { return [:] }
    let questions = questions()
    var read = answers
    for (key, value) in answers {
      guard let name = AnswerName(key), case .string(let text) = value,
        let question = questions.first(where: { $0.step.equals(bytes: name.step) })?.question,
        let answer = question.answers.first(where: { $0.name.equals(bytes: name.answer) })
      else { continue }
      if answer.type == .boolean, let answer = Answers.boolean(meantBy: text) {
        read[key] = .boolean(answer)
      } else if answer.type == nil, let document = try? JSONDocument.parse(Array(text.utf8)) {
        read[key] = JSONValue(document.root)
      }
    }
    return read
  }

  /// Whether a step of the plan shows a text or asks, also inside others.
  package var speaks: Bool {
    var isFound = false
    forEachStep { _, plan in
      switch plan.step.action {
      case .say, .ask: isFound = true
      default: break
      }
    }
    return isFound
  }

  /// The steps that ask, with the ids around them, up to a number that people read.
  package func questions() -> [(step: String, question: Question)] {
    var found: [(step: String, question: Question)] = []
    forEachStep { id, plan in
      if case .ask(let question) = plan.step.action { found.append((id, question)) }
    }
    return found
  }

  /// Calls `body` with each step and its id after those of the blocks and files around it, as far as
  /// files that call each other can be followed.
  private func forEachStep(_ body: (_ id: String, _ plan: StepPlan) -> Void) {
    var count = 0
    func visit(_ block: BlockPlan, _ prefix: String, _ depth: Int) {
      for plan in block.steps where count < 20_000 {
        count += 1
        let id = prefix + plan.step.pathID
        body(id, plan)
        guard depth < 64 else { continue }
        if let inner = plan.inner { visit(inner, id + ".", depth + 1) }
        if let callee = plan.callee { visit(callee.root, id + ".", depth + 1) }
      }
    }
    visit(root, "", 0)
  }
}
