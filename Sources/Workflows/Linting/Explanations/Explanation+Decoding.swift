import SourceText

extension Explanation {
  /// Codes of what the decoder says of keys, values and names.
  static let decoding = [
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
      "invalid-name", .error,
      what: "A name has characters that no name has.",
      why: """
        Steps, inputs, loop names and extracted values are called by letters, digits and `_`, \
        and begin with no digit, so that they can be read as `{{list.total}}`.
        """,
      bad: #"""
        {
          "steps": [{ "id": "list-users", "endpoint": "GET https://api.example.com/users" }]
        }
        """#,
      good: #"""
        {
          "steps": [{ "id": "listUsers", "endpoint": "GET https://api.example.com/users" }]
        }
        """#),
    Explanation(
      "reserved-name", .error,
      what: "A name is one that the language keeps for itself.",
      why: """
        `inputs`, `run`, `env`, `secrets`, `response` and `error` have a meaning of their own.
        """,
      bad: #"""
        {
          "steps": [{ "id": "run", "endpoint": "GET https://api.example.com/users" }]
        }
        """#,
      good: #"""
        {
          "steps": [{ "id": "list", "endpoint": "GET https://api.example.com/users" }]
        }
        """#),
    Explanation(
      "duplicate-name", .error,
      what: "Two steps of a block have the same id.",
      why: """
        An id names one step, so that what is read from it is certain.
        """,
      bad: #"""
        {
          "steps": [
            { "id": "list", "endpoint": "GET https://api.example.com/users" },
            { "id": "list", "endpoint": "GET https://api.example.com/accounts" }
          ]
        }
        """#,
      good: #"""
        {
          "steps": [
            { "id": "users", "endpoint": "GET https://api.example.com/users" },
            { "id": "accounts", "endpoint": "GET https://api.example.com/accounts" }
          ]
        }
        """#),
    Explanation(
      "hidden-name", .error,
      what: "A name hides another that can be read at the same place.",
      why: """
        A reader could not tell which of the two is meant. Steps of different blocks that do not \
        see each other may share a name.
        """,
      bad: #"""
        {
          "steps": [
            { "id": "user", "endpoint": "GET https://api.example.com/users" },
            {
              "id": "each",
              "forEach": [1, 2],
              "as": "user",
              "endpoint": "GET https://api.example.com/users/{{user}}"
            }
          ]
        }
        """#,
      good: #"""
        {
          "steps": [
            { "id": "user", "endpoint": "GET https://api.example.com/users" },
            {
              "id": "each",
              "forEach": [1, 2],
              "as": "id",
              "endpoint": "GET https://api.example.com/users/{{id}}"
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
      "unsupported", .error,
      what: "A key belongs to the language, and this version cannot act on it yet.",
      why: """
        Nothing that is written is ignored. Install a newer version, or go without the key.
        """,
      bad: "",
      good: ""),
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
    Explanation(
      "unknown-input", .error,
      what: "An environment gives a value to an input that does not exist.",
      why: """
        The value would change nothing.
        """,
      bad: #"""
        {
          "inputs": { "page": { "type": "integer", "default": 1 } },
          "environments": { "live": { "pages": 2 } },
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "query": { "page": "{{inputs.page}}" }
            }
          ]
        }
        """#,
      good: #"""
        {
          "inputs": { "page": { "type": "integer", "default": 1 } },
          "environments": { "live": { "page": 2 } },
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "query": { "page": "{{inputs.page}}" }
            }
          ]
        }
        """#),
    Explanation(
      "unreadable-file", .error,
      what: "A file that the workflow names cannot be read.",
      why: """
        Files are named relative to the file that names them, and lie in the folder of the file \
        that is run, or in one that `--allow-dir` gives.
        """,
      bad: "",
      good: ""),
    Explanation(
      "file-cycle", .error,
      what: "Files run each other in a circle.",
      why: """
        The run would never end. What two files share goes into a third.
        """,
      bad: "",
      good: ""),
    Explanation(
      "called-workflow", .error,
      what: "A file that a step runs has an error.",
      why: """
        The message shows the first one; `pipeline lint` on that file shows them all.
        """,
      bad: "",
      good: ""),
    Explanation(
      "silencing-without-reason", .error,
      what: "A finding is silenced without a reason.",
      why: """
        Those who read the file later have to know why.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "$lint": { "ignore": { "unused-extractor": "" } },
              "endpoint": "GET https://api.example.com/users",
              "extract": { "ids": "$.data[*].id" }
            }
          ]
        }
        """#,
      good: #"""
        {
          "steps": [
            {
              "id": "list",
              "$lint": { "ignore": { "unused-extractor": "the request checks that they are there" } },
              "endpoint": "GET https://api.example.com/users",
              "extract": { "ids": "$.data[*].id" }
            }
          ]
        }
        """#),
    Explanation(
      "unused-silencing", .warning,
      what: "A silencing silences nothing.",
      why: """
        What it was written for is gone, or was an error, which cannot be silenced.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "$lint": { "ignore": { "unused-extractor": "read by people" } },
              "endpoint": "GET https://api.example.com/users"
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
  ]
}
