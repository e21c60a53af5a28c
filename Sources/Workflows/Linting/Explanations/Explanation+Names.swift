import SourceText

extension Explanation {
  /// Codes of names, files and silencings.
  static let names = [
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
      "base-file", .note,
      what: "A file without steps is judged as one that others build on.",
      why: """
        A file with nothing but `inputs`, `environments`, `defaults` and `limits` is named by others \
        in `extends`. Where one of them is linted with it, nothing is said; alone it may also be a \
        workflow whose `steps` are still to be written.
        """, bad: "", good: ""),
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
