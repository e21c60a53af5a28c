import SourceText

extension Explanation {
  /// Codes of templates, endpoints and data.
  static let texts = [
    Explanation(
      "template-syntax", .error,
      what: "A template's braces are not closed, or hold nothing.",
      why: """
        `{{list.total}}` inserts a value. A literal `{{` is written `{{{{`.
        """,
      bad: #"""
        {
          "inputs": { "id": { "type": "string", "default": "1" } },
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users/{{inputs.id",
              "query": { "id": "{{inputs.id}}" }
            }
          ]
        }
        """#,
      good: #"""
        {
          "inputs": { "id": { "type": "string", "default": "1" } },
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users/{{inputs.id}}"
            }
          ]
        }
        """#),
    Explanation(
      "template-reference", .error,
      what: "The inside of a template is not the name of a value.",
      why: """
        Inside of `{{…}}` stands the way to one value: names, and positions in lists. Filters \
        and wildcards select many; they belong into a query.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "extract": { "ids": "$.data[*].id" }
            }
          ],
          "outputs": { "first": "{{list.ids[*]}}", "ids": "{{list.ids}}" }
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
          "outputs": { "first": "{{list.ids[0]}}", "ids": "{{list.ids}}" }
        }
        """#),
    Explanation(
      "template-reserved", .error,
      what: "`{{+x}}` stands outside of a URL's path.",
      why: """
        The `+` keeps the slashes of a value in a path. Elsewhere nothing is encoded that it \
        could keep.
        """,
      bad: #"""
        {
          "inputs": { "path": { "type": "string" } },
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "headers": { "X-Path": "{{+inputs.path}}" }
            }
          ]
        }
        """#,
      good: #"""
        {
          "inputs": { "path": { "type": "string" } },
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/{{+inputs.path}}"
            }
          ]
        }
        """#),
    Explanation(
      "foreign-template", .error,
      what: "A template of another tool stands where this language would insert a value.",
      why: """
        `{id}`, `${id}`, `<id>` and `:id` are sent as they stand. A value is inserted with \
        `{{id}}`. In a body or a header, where such a text may be meant, this is a warning.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users/{id}"
            }
          ]
        }
        """#,
      good: #"""
        {
          "inputs": { "id": { "type": "string" } },
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users/{{inputs.id}}"
            }
          ]
        }
        """#),
    Explanation(
      "endpoint-method", .error,
      what: "The method of an endpoint is unknown, or not in capitals.",
      why: """
        Methods are case-sensitive (RFC 9110).
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "get https://api.example.com/users"
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
      "endpoint-syntax", .error,
      what: "An endpoint is not a method, one space and a URL.",
      why: """
        Headers, bodies and HTTP versions have their own keys.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users HTTP/1.1"
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
      "url-syntax", .error,
      what: "A URL is none that a request can be sent to.",
      why: """
        A URL is `http:` or `https:`, with a host. The part after `#` is never sent.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET ftp://api.example.com/users"
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
      "url-character", .error,
      what: "A character stands in a URL that may not.",
      why: """
        The author's own text is sent as it is written, so what RFC 3986 does not allow is \
        percent-encoded by the author.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/all users"
            }
          ]
        }
        """#,
      good: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/all%20users"
            }
          ]
        }
        """#),
    Explanation(
      "url-credentials", .error,
      what: "A user or password stands in a URL.",
      why: """
        URLs are kept in logs. Credentials belong into `auth`.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://ada@api.example.com/users"
            }
          ]
        }
        """#,
      good: #"""
        {
          "inputs": { "password": { "type": "string", "secret": true } },
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "auth": { "basic": { "user": "ada", "password": "{{inputs.password}}" } }
            }
          ]
        }
        """#),
    Explanation(
      "header-character", .error,
      what: "A header or cookie has a control character, or a blank at an end.",
      why: """
        A line break in a header would begin another header. Every recipient removes blanks at the \
        ends of a value, so another value would arrive (RFC 9110 §5.5).
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "headers": { "X-Note": "one\ntwo" }
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
              "headers": { "X-Note": "one, two" }
            }
          ]
        }
        """#),
    Explanation(
      "data-form", .error,
      what: "A data form is unknown, or not written by its rules.",
      why: """
        `$literal`, `$json`, `$base64`, `$file` and `$merge` are each the only member of their \
        object.
        """,
      bad: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "POST https://api.example.com/users",
              "body": { "json": { "$jsn": { "a": 1 } } }
            }
          ]
        }
        """#,
      good: #"""
        {
          "steps": [
            {
              "id": "list",
              "endpoint": "POST https://api.example.com/users",
              "body": { "json": { "note": { "$json": { "a": 1 } } } }
            }
          ]
        }
        """#),
    Explanation(
      "literal-query", .warning,
      what: "A text looks like a query where none is read.",
      why: """
        In bodies, headers and parameters a string that begins with `$.` is sent as it stands. \
        Insert a value with `{{…}}`.
        """,
      bad: #"""
        {
          "inputs": { "page": { "type": "integer", "default": 1 } },
          "steps": [
            {
              "id": "list",
              "endpoint": "GET https://api.example.com/users",
              "query": { "page": "$.inputs.page", "size": "{{inputs.page}}" }
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
              "endpoint": "GET https://api.example.com/users",
              "query": { "page": "{{inputs.page}}", "size": 10 }
            }
          ]
        }
        """#),
    Explanation(
      "template-in-key", .warning,
      what: "The key of an object holds a template.",
      why: """
        Keys are sent as they stand. Make the object in a `values` step, or send a list of names \
        and values.
        """,
      bad: #"""
        {
          "inputs": { "name": { "type": "string" } },
          "steps": [
            {
              "id": "save",
              "endpoint": "POST https://api.example.com/users",
              "body": { "json": { "{{inputs.name}}": "{{inputs.name}}" } }
            }
          ]
        }
        """#,
      good: #"""
        {
          "inputs": { "name": { "type": "string" } },
          "steps": [
            {
              "id": "save",
              "endpoint": "POST https://api.example.com/users",
              "body": { "json": { "name": "{{inputs.name}}" } }
            }
          ]
        }
        """#),
  ]
}
