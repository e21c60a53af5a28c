internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineSourceText

/// A question that a run waits for, for people: its text, and what it takes.
struct QuestionText {
  private let question: RunQuestion

  init(_ question: RunQuestion) {
    self.question = question
  }

  func text(colored: Bool) -> String {
    var line = Line("? ", .busy)
    line.append(Cells.printable(question.text))
    var text = line.text(colored: colored) + "\n"
    for answer in question.answers {
      let facts = [
        answer.allowed.isEmpty
          ? answer.type : answer.allowed.map(\.node.text).joined(separator: " or "),
        answer.isNeeded ? nil : "may be left out", answer.about,
      ].compactMap(\.self)
      text +=
        Cells.printable(
          "  \(question.name).\(answer.name)"
            + (facts.isEmpty ? "" : "  " + facts.joined(separator: ", "))) + "\n"
    }
    return text
  }
}

extension RunQuestion.Answer {
  /// Whether it must be given.
  var isNeeded: Bool { defaultValue == nil && !isOptional }

  /// What an answer may look like, for a command line.
  var sample: String {
    if let value = allowed.first { return value.node.string ?? value.node.text }
    switch type {
    case "boolean": return "true"
    case "integer", "number": return "1"
    case "array": return "[]"
    case "object": return "{}"
    case "date": return "2026-01-31"
    case "datetime": return "2026-01-31T09:00:00Z"
    default: return "…"
    }
  }
}

extension RunQuestion {
  /// The options that answer it, as a shell takes them.
  var options: String {
    let needed = answers.filter(\.isNeeded)
    return (needed.isEmpty ? answers : needed).map { answer in
      " --answer " + ShellWords.quoted("\(name).\(answer.name)=\(answer.sample)")
    }.joined()
  }
}
