import PipelineJSONSchemas
import PipelineJSONText
import PipelineSourceText
import Testing

/// The schema that a text says; the test fails where it has an error.
func schema(_ text: String) throws -> Schema {
  let (schema, problems) = Schema.parse(try node(text))
  return try #require(schema, "\(problems.map(\.message))")
}

func node(_ text: String) throws -> JSONNode { try JSONDocument.parse(Array(text.utf8)).root }

/// What a schema says about a value, one message a line.
func messages(_ schemaText: String, _ value: String) throws -> [String] {
  try schema(schemaText).validate(try node(value)).map(\.message)
}

/// The problems of a schema, each with what it points at: `code: message @ text`.
func problems(_ text: String) throws -> [String] {
  let bytes = Array(text.utf8)
  return Schema.parse(try node(text)).problems.map { problem in
    let place = String(decoding: bytes[problem.range], as: UTF8.self)
    return "\(problem.code.rawValue): \(problem.message) @ \(place)"
  }
}
