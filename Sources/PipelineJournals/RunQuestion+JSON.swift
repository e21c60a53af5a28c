package import PipelineJSONText
internal import PipelineTransports

extension RunQuestion {
  /// Writes the member `questions`, if there are any.
  package static func write(_ questions: [RunQuestion], to writer: inout JSONWriter) {
    guard !questions.isEmpty else { return }
    writer.list("questions") { writer in
      for question in questions {
        writer.object { writer in question.writeMembers(to: &writer) }
      }
    }
  }

  /// Writes the members of the object that a line of events or a report has for it.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("step", step)
    if !path.isEmpty {
      writer.name("path")
      writer.beginArray()
      for position in path { writer.integer(position) }
      writer.endArray()
    }
    writer.member("text", text)
    writer.name("answers")
    writer.beginArray()
    for answer in answers {
      writer.beginObject()
      writer.member("name", answer.name)
      if let type = answer.type { writer.member("type", type) }
      if let about = answer.about { writer.member("description", about) }
      if let value = answer.defaultValue {
        writer.name("default")
        writer.value(value.node)
      }
      if answer.isOptional { writer.member("optional", true) }
      if !answer.allowed.isEmpty {
        writer.name("enum")
        writer.value(JSONValue.array(answer.allowed).node)
      }
      if answer.isSecret { writer.member("secret", true) }
      writer.endObject()
    }
    writer.endArray()
    for (name, time) in [("askedAt", askedAt), ("expiresAt", expiresAt)] {
      writer.name(name)
      writer.number(Duration.seconds(time).jsonSeconds)
    }
  }
}
