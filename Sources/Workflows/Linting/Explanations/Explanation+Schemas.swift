import SourceText

extension Explanation {
  /// Codes of the JSON Schemas in `expect`.
  static let schemas = [
    Explanation(
      "schema-unknown-keyword", .warning,
      what: "A JSON Schema has a keyword that the standard does not have.",
      why: """
        As the standard says, it is ignored: what was meant is not checked. Keys of your own \
        begin with `x-`.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "expect": {
                "schema": { "type": "object", "requird": ["id"] }
              }
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
              "expect": {
                "schema": { "type": "object", "required": ["id"] }
              }
            }
          ]
        }
        """#),
    Explanation(
      "schema-unsupported", .error,
      what: "A JSON Schema uses what this program does not support.",
      why: """
        `$dynamicRef`, other drafts and unknown formats are refused, for a check that is left \
        out is none.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "expect": {
                "schema": { "$dynamicRef": "#node" }
              }
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
              "expect": {
                "schema": { "type": "object", "required": ["id"] }
              }
            }
          ]
        }
        """#),
    Explanation(
      "schema-value", .error,
      what: "A keyword of a JSON Schema has a value that it does not take.",
      why: """
        The message says what the keyword takes.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "expect": {
                "schema": { "type": "object", "required": "id" }
              }
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
              "expect": {
                "schema": { "type": "object", "required": ["id"] }
              }
            }
          ]
        }
        """#),
    Explanation(
      "schema-reference", .error,
      what: "A `$ref` of a JSON Schema leads nowhere.",
      why: """
        A reference leads into the same schema, as `#/$defs/user` does. Nothing is fetched.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "expect": {
                "schema": { "$ref": "#/$defs/user" }
              }
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
              "expect": {
                "schema": { "$ref": "#/$defs/user", "$defs": { "user": { "type": "object" } } }
              }
            }
          ]
        }
        """#),
    Explanation(
      "schema-pattern", .error,
      what: "A `pattern` of a JSON Schema cannot be matched.",
      why: """
        Patterns are regular expressions of ECMA-262 with the flag `u`, as far as a match takes a time \
        that grows with the text alone: without look-around, back references, `\\b` and `\\B`. \
        `\\p{…}` takes the general categories (`\\p{Lu}`, `\\p{Letter}`) and the common binary \
        properties (`\\p{Alphabetic}`, `\\p{Lowercase}`, `\\p{White_Space}`, `\\p{Emoji}` and others), \
        but no `Script=`.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "expect": {
                "schema": { "type": "string", "pattern": "(?=a)" }
              }
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
              "expect": {
                "schema": { "type": "string", "pattern": "^a" }
              }
            }
          ]
        }
        """#),
  ]
}
