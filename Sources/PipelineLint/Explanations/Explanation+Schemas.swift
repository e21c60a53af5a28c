import PipelineSourceText

extension Explanation {
  /// Codes of the JSON Schemas in `expect`.
  static let schemas = [
    Explanation(
      "schema-unknown-keyword", .warning,
      what: "A JSON Schema has a keyword that is not in the standard.",
      why: """
        As the standard requires, unknown keywords are ignored, so the schema checks less than you \
        expect. Keys of your own begin with `x-`.
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
      what: "A JSON Schema uses a feature that this program does not support.",
      why: """
        `$dynamicRef`, other drafts and unknown formats are refused. If they were ignored, the \
        schema would check less than it says.
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
      what: "A keyword of a JSON Schema has an invalid value.",
      why: """
        The message says which values the keyword takes.
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
      what: "The target of a `$ref` in a JSON Schema does not exist.",
      why: """
        A reference points into the same schema, for example `#/$defs/user`. Other schemas are not \
        fetched.
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
        Patterns are regular expressions of ECMA-262 with the flag `u`. They are matched in linear \
        time, so look-around, back references, `\\b` and `\\B` are not supported. `\\p{…}` takes \
        the general categories (`\\p{Lu}`, `\\p{Letter}`) and the common binary properties \
        (`\\p{Alphabetic}`, `\\p{Lowercase}`, `\\p{White_Space}`, `\\p{Emoji}` and others), but \
        not `Script=`.
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
