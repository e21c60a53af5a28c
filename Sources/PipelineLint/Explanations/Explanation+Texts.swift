import PipelineSourceText

extension Explanation {
  /// Codes of templates, endpoints and data.
  static let texts = [
    Explanation(
      "template-syntax", .error,
      what: "A template is empty, or its braces are not closed.",
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
      what: "The text inside a template is not the name of a value.",
      why: """
        `{{…}}` contains the path to one value: names, and indexes of lists. Filters and wildcards \
        select many values, so they belong in a query.
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
      what: "`{{+x}}` is used outside a URL's path.",
      why: """
        The `+` keeps the slashes of a value in a path. It has no meaning anywhere else.
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
      what: "A text is a template of another tool.",
      why: """
        `{id}`, `${id}`, `<id>` and `:id` are sent unchanged. Insert a value with `{{id}}`. In a \
        body or a header such a text may be intended, so it is only a warning there.
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
      what: "The method of an endpoint is unknown or not in capitals.",
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
      what: "A request cannot be sent to this URL.",
      why: """
        A URL has the scheme `http:` or `https:`, and a host. The part after `#` is never sent.
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
      what: "A URL contains a character that is not allowed.",
      why: """
        Your own text is sent exactly as written. Percent-encode every character that RFC 3986 \
        does not allow.
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
      what: "A URL contains a user or password.",
      why: """
        URLs are kept in logs. Credentials belong in `auth`.
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
      what: "A header or cookie contains a control character, or begins or ends with a blank.",
      why: """
        A line break in a header would begin another header. Every recipient removes blanks at \
        both ends of a value, so a different value would arrive (RFC 9110 §5.5).
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
      what: "A data form is unknown or malformed.",
      why: """
        A form such as `$json` or `$sum` must be the only member of its object. Only `$file` may \
        have another member beside it, `as`. Each form takes a value of a certain kind: `$base64` \
        a text, `$sum` a list.
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
      what: "A text looks like a query, but queries are not read here.",
      why: """
        In bodies, headers and parameters, a string that begins with `$.` is sent unchanged. \
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
      what: "The key of an object contains a template.",
      why: """
        Keys are sent unchanged. Build the object in a `values` step, or send a list of names and \
        values.
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
