import PipelineSourceText

extension Explanation {
  /// Codes of names, files and silencings.
  static let names = [
    Explanation(
      "invalid-name", .error,
      what: "A name contains characters that names cannot have.",
      why: """
        Names of steps, inputs, loop names and extracted values consist of letters, digits and \
        `_`, and do not begin with a digit. So they can be read as `{{list.total}}`.
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
      what: "A name is reserved by the language.",
      why: """
        `inputs`, `run`, `env`, `secrets`, `response` and `error` have a special meaning. So has \
        `state` in a file that has the key `state`.
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
        An id must name one step, so that a reference to it is unambiguous.
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
      what: "A name hides another name that is visible at the same place.",
      why: """
        A reader could not know which of the two is meant. Steps of different blocks that do not \
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
      "unknown-input", .error,
      what: "An environment gives a value to an input that does not exist.",
      why: """
        The value would have no effect.
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
        A path is relative to the file that contains it. The file must be in the folder of the \
        file that is run, or in one that `--allow-dir` names.
        """,
      bad: "",
      good: ""),
    Explanation(
      "file-cycle", .error,
      what: "Files run each other in a cycle.",
      why: """
        The run would never end. Move the steps that two files share to a third file.
        """,
      bad: "",
      good: ""),
    Explanation(
      "called-workflow", .error,
      what: "A file that a step runs has an error or has `state`.",
      why: """
        The message shows the first error. `pipeline lint` on that file shows all of them. Only \
        the file that is run can have `state`. Pass such a value to the called file as an input, \
        and read the next value from the outputs of that file.
        """,
      bad: "",
      good: ""),
    Explanation(
      "silencing-without-reason", .error,
      what: "A finding is silenced without a reason.",
      why: """
        Later readers of the file need to know why.
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
      "base-file", .note,
      what: "A file without steps is checked as a file for `extends`.",
      why: """
        A file with only `inputs`, `environments`, `defaults` and `limits` is named by other files \
        in `extends`. If one of these is linted together with it, there is no note. Linted alone, \
        it may also be a workflow whose `steps` are not written yet.
        """, bad: "", good: ""),
    Explanation(
      "unused-silencing", .warning,
      what: "A silencing has no effect.",
      why: """
        The finding that it silenced no longer occurs, or is an error. Errors cannot be silenced.
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
