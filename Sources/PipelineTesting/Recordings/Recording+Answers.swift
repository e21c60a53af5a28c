package import PipelineJSONText
package import PipelineRecordings

extension Recording {
  /// The answers that its run was given by a person, by their names.
  package var givenAnswers: [String: JSONValue] {
    var answers: [String: JSONValue] = [:]
    for member in run?.answers.map({ Array($0.members) }) ?? [] {
      answers[member.name] = JSONValue(member.value)
    }
    return answers
  }
}
