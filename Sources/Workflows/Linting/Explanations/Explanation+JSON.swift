import SourceText

extension Explanation {
  /// Codes of JSON texts.
  static let json = [
    Explanation(
      "json-syntax", .error,
      what: "The file is no JSON.",
      why: """
        A workflow file is JSON as in RFC 8259, without comments and trailing commas. Until it \
        is, nothing else can be said of it. Words for its readers have keys of their own: \
        `description` of the file and of a step, `$comment` in every object of the language.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
            }
          ]
        }
        """#,
      good: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users"
            }
          ]
        }
        """#),
    Explanation(
      "json-duplicate-key", .error,
      what: "A key stands twice in one object.",
      why: """
        One of the two values would be lost, and readers disagree about which.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "timeout": "5s",
              "timeout": "10s"
            }
          ]
        }
        """#,
      good: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "timeout": "10s"
            }
          ]
        }
        """#),
    Explanation(
      "json-empty", .error,
      what: "The file is empty.",
      why: """
        A workflow has at least one step.
        """,
      bad: "",
      good: ""),
    Explanation(
      "json-utf8", .error,
      what: "The file is not UTF-8.",
      why: """
        JSON is UTF-8 (RFC 8259). Save the file in that encoding.
        """,
      bad: "",
      good: ""),
    Explanation(
      "json-bom", .error,
      what: "The file begins with a byte order mark.",
      why: """
        RFC 8259 forbids writing one, and some readers stumble over it. Save the file as UTF-8 \
        without it.
        """,
      bad: "",
      good: ""),
    Explanation(
      "json-depth", .error,
      what: "Objects and lists are nested too deep.",
      why: """
        512 levels are read.
        """,
      bad: "",
      good: ""),
    Explanation(
      "json-too-large", .error,
      what: "The file is too large to be read.",
      why: """
        Split the workflow into several files.
        """,
      bad: "",
      good: ""),
  ]
}
