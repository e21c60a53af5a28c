import PipelineSourceText

extension Explanation {
  /// Codes of keys and values.
  static let keys = [
    Explanation(
      "unknown-key", .error,
      what: "An object has a key that the language does not know.",
      why: """
        An unknown key has no effect, so a misspelt key would be ignored silently. The message \
        suggests the closest key, or says where the key belongs. Keys of your own begin with `x-`.
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
      what: "An object lacks a required key.",
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
      what: "A key is used with an action that it does not belong to.",
      why: """
        A step has one action, and some keys work with only one. For example, `extract` reads a \
        response, so it belongs beside `endpoint`.
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
        A step has one action, a body has one form, and an extractor has one source.
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
      what: "A value has the wrong type for its key.",
      why: """
        Durations, sizes and rates are texts with a unit. Numbers, `true` and `false` have no \
        quotes. The message says which type is needed.
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
      what: "A value has the right type but is not allowed.",
      why: """
        The message lists the allowed values.
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
        This program reads format 1. Install a newer version.
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
      what: "A query is not valid JSONPath.",
      why: """
        Queries are JSONPath exactly as RFC 9535 defines it. The caret shows where parsing \
        stopped, and the message says what to write.
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
      what: "A condition is not a filter expression of RFC 9535.",
      why: """
        A condition compares with `==`, `!=`, `<`, `<=`, `>` and `>=`, and combines with `&&`, \
        `||` and `!`. Texts are in single quotes.
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
        The program itself sets `Host`, `Content-Length` and `Transfer-Encoding`. A header name \
        has only the characters that RFC 9110 allows.
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
      what: "`forEach` has a template instead of a query.",
      why: """
        `forEach` takes a query, which selects many values. A template inserts one value.
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
