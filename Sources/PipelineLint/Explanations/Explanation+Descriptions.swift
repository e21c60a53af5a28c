import PipelineSourceText

extension Explanation {
  /// What is wrong with the descriptions that a workflow names.
  static let descriptions: [Explanation] = [
    Explanation(
      DescriptionCode.unreadable.rawValue, .error,
      what: "The description of an API that 'api' names cannot be read.",
      why: """
        Requests are not compared with it. A run does not read it. Correct the path, or the place \
        in the description that the message names.
        """, bad: "", good: ""),
    Explanation(
      DescriptionCode.changed.rawValue, .error,
      what: "The description of an API is not the file whose SHA-256 the workflow names.",
      why: """
        Someone changed the file, or it is another version. `pipeline api get` fetches it again \
        and writes the SHA-256; `pipeline lint --against OLD..NEW` shows what breaks.
        """, bad: "", good: ""),
    Explanation(
      DescriptionCode.unused.rawValue, .warning,
      what: "No request begins with a base URL in 'api'.",
      why: "Its description is compared with nothing. Correct the base URL, or remove it.",
      bad: "", good: ""),
  ]
}

/// The codes of what is wrong with the key `api` itself.
enum DescriptionCode: String {
  case unreadable = "unreadable-description"
  case changed = "changed-description"
  case unused = "unused-description"
}

/// Descriptions that the examples of several rules are compared with.
enum ExampleDescription {
  static let createPet = """
    openapi: 3.1.0
    servers: [{ url: https://api.example.com }]
    paths:
      /pets:
        post:
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [name]
                  properties:
                    name: { type: string }
                    status: { type: string, enum: [free, sold] }
    """

  static let readPet = """
    openapi: 3.1.0
    servers: [{ url: https://api.example.com }]
    paths:
      /pets/{id}:
        get:
          responses:
            "200":
              content:
                application/json:
                  schema:
                    type: object
                    properties:
                      name: { type: string }
                      tags: { type: array, items: { type: string } }
    """
}
