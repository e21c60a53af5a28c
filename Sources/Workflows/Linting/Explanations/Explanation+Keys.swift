import SourceText

extension Explanation {
  /// Codes of keys and values.
  static let keys = [
    Explanation(
      "unknown-key", .error,
      what: "An object has a key that the language does not know.",
      why: """
        What is not known cannot be acted on, and a misspelt key would be silently ignored. The \
        message proposes the nearest key, or says where the key belongs. Keys of your own begin \
        with `x-`.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "retyr": 3
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
              "retry": 3
            }
          ]
        }
        """#),
    Explanation(
      "missing-key", .error,
      what: "An object lacks a key that it must have.",
      why: """
        The message shows what to write.
        """,
      bad: #"""
        {
          "steps": [{ "endpoint": "GET https://api.example.com/users" }]
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
      "misplaced-key", .error,
      what: "A key stands beside an action that it does not belong to.",
      why: """
        A step does one thing, and some keys make sense with one action only: `extract` reads a \
        response, so it stands beside `endpoint`.
        """,
      bad: #"""
        {
          "steps": [{ "id": "pause", "wait": "2s", "retry": 3 }]
        }
        """#,
      good: #"""
        {
          "steps": [{ "id": "pause", "wait": "2s" }]
        }
        """#),
    Explanation(
      "conflicting-keys", .error,
      what: "Two keys exclude each other.",
      why: """
        A step has one action, a body one form, an extractor one source.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "wait": "2s"
            }
          ]
        }
        """#,
      good: #"""
        {
          "steps": [
            { "id": "pause", "wait": "2s" },
            {
              "id": "list",
              "dependsOn": ["pause"],
              "endpoint": "GET https://api.example.com/users"
            }
          ]
        }
        """#),
    Explanation(
      "wrong-type", .error,
      what: "A value is not of the type that its key takes.",
      why: """
        Durations, sizes and rates are texts with a unit; numbers, `true` and `false` have no \
        quotes. The message says what is wanted.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "timeout": 10
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
      "invalid-value", .error,
      what: "A value is of the right type and yet not allowed.",
      why: """
        The message says which values are.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "onError": "ignore"
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
              "onError": "continue"
            }
          ]
        }
        """#),
    Explanation(
      "newer-format", .error,
      what: "The file is written in a later version of the language.",
      why: """
        This program reads format 1. Install a newer one.
        """,
      bad: #"""
        {
          "format": 2,
          "steps": [{ "id": "list", "endpoint": "GET https://api.example.com/users" }]
        }
        """#,
      good: #"""
        {
          "format": 1,
          "steps": [{ "id": "list", "endpoint": "GET https://api.example.com/users" }]
        }
        """#),
    Explanation(
      "query-syntax", .error,
      what: "A query is none of RFC 9535.",
      why: """
        Queries are JSONPath as RFC 9535 defines it, and nothing else. The caret shows where \
        reading stopped, and the message what to write.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "extract": { "ids": "$.data[*.id" }
            }
          ],
          "outputs": { "ids": "{{list.ids}}" }
        }
        """#,
      good: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "extract": { "ids": "$.data[*].id" }
            }
          ],
          "outputs": { "ids": "{{list.ids}}" }
        }
        """#),
    Explanation(
      "condition-syntax", .error,
      what: "A condition is no filter expression of RFC 9535.",
      why: """
        A condition compares with `==`, `!=`, `<`, `<=`, `>` and `>=`, and joins with `&&`, `||` \
        and `!`. Texts stand in single quotes.
        """,
      bad: #"""
        {
          "inputs": { "page": { "type": "integer", "default": 1 } },
          "steps": [
            {
              "id": "list",
              "when": "$.inputs.page = 1",
              "endpoint": "GET https://api.example.com/users",
              "query": { "page": "{{inputs.page}}" }
            }
          ]
        }
        """#,
      good: #"""
        {
          "inputs": { "page": { "type": "integer", "default": 1 } },
          "steps": [
            {
              "id": "list",
              "when": "$.inputs.page == 1",
              "endpoint": "GET https://api.example.com/users",
              "query": { "page": "{{inputs.page}}" }
            }
          ]
        }
        """#),
    Explanation(
      "invalid-header", .error,
      what: "A header cannot be sent as it is written.",
      why: """
        `Host`, `Content-Length` and `Transfer-Encoding` are set by the program itself, and a \
        name is made of the characters that RFC 9110 allows.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "headers": { "Content-Length": "10" }
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
              "headers": { "Accept": "application/json" }
            }
          ]
        }
        """#),
    Explanation(
      "for-each-template", .error,
      what: "`forEach` is given a template.",
      why: """
        `forEach` takes a query, which selects many; a template inserts one value.
        """,
      bad: #"""
        {
          "inputs": { "ids": { "type": "array" } },
          "steps": [
            {
              "id": "user",
              "forEach": "{{inputs.ids}}",
              "endpoint": "GET https://api.example.com/users/{{item}}"
            }
          ]
        }
        """#,
      good: #"""
        {
          "inputs": { "ids": { "type": "array" } },
          "steps": [
            {
              "id": "user",
              "forEach": "$.inputs.ids",
              "endpoint": "GET https://api.example.com/users/{{item}}"
            }
          ]
        }
        """#),
  ]
}
