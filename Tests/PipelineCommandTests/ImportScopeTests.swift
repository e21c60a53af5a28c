import PipelineHTTPServers
import PipelineJSONText
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Variables that have other values in some requests: what is sent is what the other tool would send.
struct ImportScopeTests {
  private let folder = TemporaryFolder()

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// The files, in which `ORIGIN` is the server's.
    let files: [(name: String, text: String)]
    var environment: String?
    /// The queries of the requests, in their order.
    let queries: [String]

    var testDescription: String { name + (environment.map { " in " + $0 } ?? "") }
  }

  @Test(arguments: postman + bruno + insomnia + http + hurl)
  func eachRequestHasTheValueThatIsNearest(_ test: Case) async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    var paths: [String] = []
    for (name, text) in test.files {
      let plain = text.replacing("ORIGIN", with: server.origin)
      paths.append(folder.write(plain, to: name))
    }
    let result = await pipeline(["import"] + paths)
    try #require(result.status == .success, "\(result.error)")
    let path = folder.write(result.output, to: "w.json")
    let lint = await pipeline(["lint", path])
    #expect(lint.status == .success, "\(lint.output)\n\(result.output)")
    let run = await pipeline(
      ["run", "--no-store", "--quiet", path]
        + (test.environment.map { ["--environment", $0] } ?? []))
    #expect(run.status == .success, "\(run.error)\n\(result.output)")
    let sent = server.records.requests.map { request in
      request.target.split(separator: "?").dropFirst().joined(separator: "?")
    }
    #expect(sent == test.queries, "\(result.output)")
  }

  // MARK: Postman: an environment goes before all scopes

  private static let collection = """
    {"info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/"},
     "variable": [{"key": "base", "value": "ORIGIN/echo"}, {"key": "who", "value": "all"},
       {"key": "full", "value": "is-{{who}}"}],
     "item": [
       {"name": "a", "request": "{{base}}/a?who={{who}}&full={{full}}"},
       {"name": "F", "variable": [{"key": "who", "value": "folder"}], "item": [
         {"name": "b", "request": "{{base}}/a?who={{who}}&full={{full}}"},
         {"name": "G", "variable": [{"key": "full", "value": "in-{{who}}"}], "item": [
           {"name": "c", "request": "{{base}}/a?who={{who}}&full={{full}}"},
           {"name": "d", "variable": [{"key": "who", "value": "request"}],
            "request": "{{base}}/a?who={{who}}&full={{full}}"}]}]},
       {"name": "e", "request": "{{base}}/a?who={{who}}"}]}
    """
  private static let environment = """
    {"id": "1", "name": "dev", "values": [{"key": "who", "value": "env", "enabled": true}],
     "_postman_variable_scope": "environment"}
    """

  static let postman = [
    Case(
      name: "Postman", files: [("c.json", collection)],
      queries: [
        "who=all&full=is-all", "who=folder&full=is-folder", "who=folder&full=in-folder",
        "who=request&full=in-request", "who=all",
      ]),
    Case(
      name: "Postman", files: [("c.json", collection), ("dev.json", environment)],
      environment: "dev",
      queries: [
        "who=env&full=is-env", "who=env&full=is-env", "who=env&full=in-env", "who=env&full=in-env",
        "who=env",
      ]),
    Case(
      name: "Postman, set by a response",
      files: [
        (
          "c.json",
          """
          {"info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/"},
           "variable": [{"key": "who", "value": "all"}],
           "item": [{"name": "F", "variable": [{"key": "who", "value": "folder"}], "item": [
             {"name": "a", "request": "ORIGIN/echo/a?who={{who}}", "event": [{"listen": "test",
               "script": {"exec": ["pm.environment.set('who', pm.response.json().method)"]}}]},
             {"name": "b", "request": "ORIGIN/echo/a?who={{who}}"}]}]}
          """
        )
      ], queries: ["who=folder", "who=GET"]),
  ]

  // MARK: Bruno: folders and requests go before an environment

  private static let files = [
    (
      "collection.bru",
      "vars:pre-request {\n  base: ORIGIN/echo\n  who: all\n  full: is-{{who}}\n}\n"
    ),
    (
      "a.bru",
      """
      meta {
        name: a
        seq: 1
      }
      get {
        url: {{base}}/a?who={{who}}&full={{full}}
      }
      """
    ),
    ("F/folder.bru", "meta {\n  name: F\n  seq: 2\n}\nvars:pre-request {\n  who: folder\n}\n"),
    (
      "F/b.bru",
      """
      meta {
        name: b
        seq: 1
      }
      get {
        url: {{base}}/a?who={{who}}&full={{full}}
      }
      """
    ),
    (
      "F/c.bru",
      """
      meta {
        name: c
        seq: 2
      }
      get {
        url: {{base}}/a?who={{who}}&full={{full}}
      }
      vars:pre-request {
        who: request
      }
      """
    ),
    ("environments/dev.bru", "vars {\n  who: env\n}\n"),
  ].map { (name: $0.0, text: $0.1) }

  static let bruno = [
    Case(
      name: "Bruno", files: files,
      queries: ["who=all&full=is-all", "who=folder&full=is-folder", "who=request&full=is-request"]),
    Case(
      name: "Bruno", files: files, environment: "dev",
      queries: ["who=env&full=is-env", "who=folder&full=is-folder", "who=request&full=is-request"]),
    Case(
      name: "OpenCollection",
      files: [
        (
          "c.yml",
          """
          opencollection: 1.0.0
          info:
            name: c
          config:
            environments:
              - name: dev
                variables:
                  - name: who
                    value: env
          request:
            variables:
              - name: who
                value: all
          items:
            - info:
                name: a
                type: http
              http:
                method: GET
                url: ORIGIN/echo/a?who={{who}}
            - info:
                name: F
                type: folder
              request:
                variables:
                  - name: who
                    value: folder
              items:
                - info:
                    name: b
                    type: http
                  http:
                    method: GET
                    url: ORIGIN/echo/a?who={{who}}
          """
        )
      ], environment: "dev", queries: ["who=env", "who=folder"]),
  ]

  // MARK: Insomnia: folders go before an environment, and add to it

  private static let export = """
    {"_type": "export", "__export_format": 4, "resources": [
      {"_id": "wrk_1", "_type": "workspace", "name": "c"},
      {"_id": "env_1", "_type": "environment", "parentId": "wrk_1", "name": "Base",
       "data": {"who": "all", "base": "ORIGIN/echo"}},
      {"_id": "env_2", "_type": "environment", "parentId": "env_1", "name": "dev",
       "data": {"who": "env"}},
      {"_id": "req_1", "_type": "request", "parentId": "wrk_1", "name": "a", "method": "GET",
       "metaSortKey": 1, "url": "{{ _.base }}/a?who={{ _.who }}"},
      {"_id": "fld_1", "_type": "request_group", "parentId": "wrk_1", "name": "F",
       "metaSortKey": 2, "environment": {"who": "all", "more": "x-{{ _.who }}"}},
      {"_id": "req_2", "_type": "request", "parentId": "fld_1", "name": "b", "method": "GET",
       "url": "{{ _.base }}/a?who={{ _.who }}&more={{ _.more }}"},
      {"_id": "fld_2", "_type": "request_group", "parentId": "wrk_1", "name": "G",
       "metaSortKey": 3, "environment": {"who": "{{ _.who }}-in"}},
      {"_id": "req_3", "_type": "request", "parentId": "fld_2", "name": "c", "method": "GET",
       "url": "{{ _.base }}/a?who={{ _.who }}"}]}
    """

  static let insomnia = [
    Case(
      name: "Insomnia", files: [("c.json", export)],
      queries: ["who=all", "who=all&more=x-all", "who=all-in"]),
    Case(
      name: "Insomnia", files: [("c.json", export)], environment: "dev",
      queries: ["who=env", "who=all&more=x-all", "who=env-in"]),
  ]

  // MARK: By position

  private static let requests = """
    @base = ORIGIN/echo
    @who = one
    @full = is-{{who}}

    GET {{base}}/a?who={{who}}&full={{full}}

    ###
    @who = two
    GET {{base}}/a?who={{who}}&full={{full}}

    ###
    @full = in-{{who}}
    @who = {{who}}-three
    GET {{base}}/a?who={{who}}&full={{full}}
    """

  static let http = [
    Case(
      name: ".http", files: [("a.http", requests)],
      queries: ["who=one&full=is-one", "who=two&full=is-one", "who=two-three&full=in-two"]),
    Case(
      name: ".http",
      files: [
        ("a.http", requests), ("http-client.env.json", #"{"dev": {"who": "env"}}"#),
      ], environment: "dev",
      queries: ["who=env&full=is-env", "who=env&full=is-env", "who=env&full=in-env"]),
  ]

  static let hurl = [
    Case(
      name: "Hurl",
      files: [
        (
          "a.hurl",
          """
          GET ORIGIN/echo/a?x={{x}}&u={{u}}
          [Options]
          variable: x=1
          variable: u=at-{{x}}
          HTTP 200

          GET ORIGIN/echo/a?x={{x}}&u={{u}}
          [Options]
          variable: x=2
          HTTP 200
          [Captures]
          x: jsonpath "$.method"

          GET ORIGIN/echo/a?x={{x}}
          HTTP 200

          GET ORIGIN/echo/a?x={{x}}
          [Options]
          variable: x=1
          HTTP 200

          GET ORIGIN/echo/a?x={{x}}
          HTTP 200
          """
        )
      ], queries: ["x=1&u=at-1", "x=2&u=at-1", "x=GET", "x=1", "x=1"])
  ]

  // MARK: Credentials

  @Test func eachCredentialIsASecretOfItsOwn() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(
      """
      {"info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/"},
       "variable": [{"key": "pass", "value": "hard-all"}, {"key": "token", "value": "hard-token"}],
       "item": [
         {"name": "a", "request": {"method": "GET", "url": "\(server.origin)/echo/a",
           "header": [{"key": "X-Api-Key", "value": "{{pass}}"}]}},
         {"name": "F", "variable": [{"key": "pass", "value": "hard-folder"},
           {"key": "token", "value": "hard-other"}], "item": [
           {"name": "b", "request": {"method": "GET", "url": "\(server.origin)/echo/a?t={{token}}",
             "header": [{"key": "X-Api-Key", "value": "{{pass}}"}]}}]}]}
      """, to: "c.json")
    let environment = folder.write(
      """
      {"id": "1", "name": "dev", "values": [{"key": "pass", "value": "hard-env", "type": "secret"}],
       "_postman_variable_scope": "environment"}
      """, to: "dev.json")
    let result = await pipeline(["import", file, environment])
    try #require(result.status == .success, "\(result.error)")
    #expect(!result.output.contains("hard"), "\(result.output)")
    let path = folder.write(result.output, to: "w.json")
    let inputs = folder.write(
      #"{"pass": "one", "fPass": "two", "fToken": "three"}"#, to: "inputs.json")
    let run = await pipeline(["run", "--no-store", "--quiet", "--inputs", inputs, path])
    #expect(run.status == .success, "\(run.error)\n\(result.output)")
    let sent = server.records.requests
    #expect(
      sent.map { $0.headers.first { $0.name.lowercased() == "x-api-key" }?.value }
        == ["one", "two"])
    #expect(sent.last?.target == "/echo/a?t=three")
  }

  /// A value that adds to what nothing in the file gives.
  @Test func aValueMayAddToAnInput() async throws {
    let file = folder.write(
      """
      {"info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/"},
       "item": [{"name": "F", "variable": [{"key": "a", "value": "{{a}}-in"}], "item": [
         {"name": "a", "request": "https://a.example/?a={{a}}"}]}]}
      """, to: "c.json")
    let result = await pipeline(["import", file])
    try #require(result.status == .success, "\(result.error)")
    let root = try JSONDocument.parse(Array(result.output.utf8)).root
    #expect(root["steps"]?[0]?["query"]?["a"]?.string == "{{inputs.a}}-in")
  }

  @Test func aValueThatGrowsWithoutEndIsRefused() async {
    let variables = (0..<7).map { level in
      let value = String(repeating: "{{a\(level + 1)}}", count: 40)
      return #"{"key": "a\#(level)", "value": "\#(value)"}"#
    }
    let file = folder.write(
      """
      {"info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/"},
       "item": [{"name": "F", "variable": [\(variables.joined(separator: ", "))], "item": [
         {"name": "a", "request": "https://a.example/?a={{a0}}"}]}]}
      """, to: "c.json")
    let result = await pipeline(["import", "--partial", file])
    #expect(result.status == .success)
    #expect(result.error.contains("is made of others, and too long"), "\(result.error)")
    #expect(result.output.utf8.count < 1 << 20)
  }

  // MARK: What has no value

  @Test(arguments: [
    (
      "c.json",
      """
      {"info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/"},
       "item": [{"name": "F",
         "variable": [{"key": "a", "value": "{{b}}"}, {"key": "b", "value": "{{a}}"}],
         "item": [{"name": "b", "request": "https://a.example/?a={{a}}"}]}]}
      """, "'a' is made of itself"
    ),
    (
      "a.http",
      (1...12).map { "@a\($0) = {{a\($0 - 1)}}x\n" }.joined()
        + "@a0 = 1\n@a0 = 2\nGET https://a.example/{{a12}}",
      "in more than 8 levels"
    ),
  ]) func aValueWithoutAnEndIsRefused(_ name: String, _ text: String, _ reason: String) async {
    let file = folder.write(text, to: name)
    let result = await pipeline(["import", file])
    #expect(result.status == .failure)
    #expect(result.error.contains(reason), "\(result.error)")
  }
}
