import PipelineJSONText
import PipelineSourceText
package import PipelineTemplates

/// What a step asks a person.
///
/// By reference: few steps have one.
package final class Question: Sendable {
  package let text: Written<Template>
  /// What is answered, as inputs that come later.
  package let answers: [Input]
  /// How long there may be no answer. Then the defaults count, or the step fails.
  package let within: Duration
  /// The same as the author wrote it.
  package let withinText: String

  package static let standardTime = Duration.seconds(14 * 86_400)

  init(text: Written<Template>, answers: [Input], within: Duration, as withinText: String) {
    self.text = text
    self.answers = answers
    self.within = within
    self.withinText = withinText
  }

  /// Whether the defaults are not enough.
  package var needsAnswer: Bool { answers.contains(where: \.isRequired) }

  /// What is answered if the author does not say: yes or no, under the name `answer`.
  static func standardAnswers(at range: Range<Int>) -> [Input] {
    let node = JSONDocument.written(Array(#"{"type": "boolean"}"#.utf8)).root
    var input = Input(name: "answer", nameRange: range, node: node)
    input.type = .boolean
    return [input]
  }
}

extension Keys {
  mutating func saying() -> Written<Template>? {
    optional(
      "say", .template, "Shows a text to the person at the terminal.",
      example: #""Open {{login.address}} and enter {{login.code}}.""#,
      foreign: ["print echo log message notify tell show"])
  }

  /// `ask` and the keys beside it.
  mutating func question() -> Question? {
    let text = optional(
      "ask", .template,
      "Asks a person, and gives the answers as values. Without a terminal the run ends as waiting.",
      example: #""Delete {{list.count}} users?""#,
      foreign: ["confirm approve prompt question manual"])
    return beside([.ask]) { keys -> Question? in
      let answers = keys.optional(
        "answers", AnswersType(), "What is answered: names and inputs, without `env` and `read`.",
        standard: #"{"answer": {"type": "boolean"}}"#,
        example: #"{"yes": {"type": "boolean"}, "reason": {"optional": true}}"#, names: .value)
      let within = keys.value(
        "within", .duration, default: Question.standardTime,
        "How long there may be no answer. Then each `default` counts, or the step fails.",
        example: #""1d""#, foreign: ["expires expiresIn"])
      guard let text else { return nil }
      return Question(
        text: text, answers: answers ?? Question.standardAnswers(at: text.range), within: within,
        as: keys.node(of: "within")?.string ?? "14d")
    }
  }
}

/// The value of `answers`: inputs that a person gives.
private struct AnswersType: ValueType {
  var description: LanguageType { InputsType().description }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [Input]? {
    guard let answers = InputsType(names: .value, noun: "answer").read(node, name, &decoder) else {
      return nil
    }
    if answers.isEmpty {
      decoder.report(
        .invalidValue, "'\(name)' is empty; leave it out for yes or no, or use 'say'",
        at: node.range)
    }
    for answer in answers {
      for key in ["env", "read"] {
        guard let member = answer.node.members.first(where: { $0.name == key }) else { continue }
        decoder.report(
          .misplacedKey,
          "'\(key)' says where an input comes from, and an answer comes from a person",
          at: member.nameRange,
          fix: .suggesting("remove it", [answer.node.removing(member)]))
      }
    }
    return answers
  }
}
