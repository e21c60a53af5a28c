import PipelineSourceText

extension Explanation {
  /// Codes of JSON texts.
  static let json = [
    Explanation(
      "json-syntax", .error,
      what: "The file is not valid JSON.",
      why: """
        A workflow file is JSON as in RFC 8259, without comments and trailing commas. Nothing else \
        can be checked until it is valid. Use keys for remarks: `description` in the file and in \
        steps, `$comment` in every object of the language.
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
      what: "An object has the same key twice.",
      why: """
        One of the two values would be lost, and readers of JSON disagree about which.
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
        A workflow needs at least one step.
        """,
      bad: "",
      good: ""),
    Explanation(
      "json-utf8", .error,
      what: "The file is not UTF-8.",
      why: """
        JSON is UTF-8 (RFC 8259). Save the file as UTF-8.
        """,
      bad: "",
      good: ""),
    Explanation(
      "json-bom", .error,
      what: "The file begins with a byte order mark.",
      why: """
        RFC 8259 forbids a byte order mark, and some readers fail on it. Save the file as UTF-8 \
        without it.
        """,
      bad: "",
      good: ""),
    Explanation(
      "json-depth", .error,
      what: "Objects and lists are nested too deeply.",
      why: """
        The limit is 512 levels.
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
