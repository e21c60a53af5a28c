internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineJournals
internal import PipelineTransports

extension RunQuestion {
  /// The questions that a report of a process has. What is damaged is left out.
  static func all(_ node: JSONNode) -> [RunQuestion] {
    node.elements.compactMap { question -> RunQuestion? in
      guard let step = question["step"]?.string, let text = question["text"]?.string else {
        return nil
      }
      let time = { (name: String) -> Double in
        (question[name]?.number?.double).map(FileNumber.seconds) ?? 0
      }
      return RunQuestion(
        step: step,
        path: question["path"]?.elements.compactMap { $0.number?.int.map(FileNumber.count) } ?? [],
        text: text,
        answers: question["answers"]?.elements.compactMap { answer -> Answer? in
          answer["name"]?.string.map { name in
            Answer(
              name: name, type: answer["type"]?.string, about: answer["description"]?.string,
              defaultValue: answer["default"].map(JSONValue.init),
              isOptional: answer["optional"]?.boolean ?? false,
              allowed: answer["enum"]?.elements.map(JSONValue.init) ?? [],
              isSecret: answer["secret"]?.boolean ?? false)
          }
        } ?? [], askedAt: time("askedAt"), expiresAt: time("expiresAt"))
    }
  }
}
