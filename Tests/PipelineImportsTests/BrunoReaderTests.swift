import PipelineJSONText
import Testing

@testable import PipelineImports

struct BrunoReaderTests {
  private func workflow(
    _ files: [(name: String, text: String)]
  ) throws -> (root: JSONNode, report: ImportReport) {
    var importer = Importer(isRelaxed: false)
    let value = try importer.workflow(
      of: files.map { .init(name: $0.name, bytes: Array($0.text.utf8)) })
    return (value.node, importer.report)
  }

  private static let login = """
    meta {
      name: Log in
      type: http
      seq: 1
      tags: [
        smoke
      ]
    }

    post {
      url: {{host}}/login/:tenant?old=1
      body: json
      auth: none
    }

    params:query {
      "key with spaces": yes
      ~off: 1
    }

    params:path {
      tenant: main
    }

    headers {
      X-Api-Key: k3y-s3cr3t
    }

    body:json {
      {
        "user": "ann",
        "password": "{{password}}"
      }
    }

    vars:post-response {
      token: res.body.token
      ~other: res.body.other
    }

    assert {
      res.status: eq 200
      res.body.user.name: eq ann
      res.body.email: contains @
      res.body.roles: length 2
    }

    tests {
      test("found", function() {
        expect(res.getBody().ok).to.equal(true);
      });
      bru.setVar("id", res.body.id);
    }

    docs {
      Not a { block.
    }
    """

  private static let orders = """
    meta {
      name: Orders
      type: http
      seq: 2
    }

    get {
      url: {{host}}/orders/{{id}}
      body: none
      auth: inherit
    }

    settings {
      followRedirects: false
    }
    """

  private static let settings = """
    auth {
      mode: bearer
    }

    auth:bearer {
      token: {{token}}
    }

    headers {
      X-App: shop
    }
    """

  @Test func filesOfACollectionAreOneWorkflow() throws {
    let (root, report) = try workflow([
      ("orders.bru", Self.orders), ("login.bru", Self.login), ("collection.bru", Self.settings),
      (
        "environments/live.bru",
        "vars {\n  host: https://shop.example\n}\nvars:secret [\n  password\n]\n"
      ),
    ])
    #expect(report.refused.isEmpty, "\(report.refused)")
    let steps = try #require(root["steps"])
    #expect(steps.elements.map { $0["id"]?.string } == ["logIn", "orders"])
    #expect(steps[0]?["endpoint"]?.string == "POST /login/main")
    #expect(steps[0]?["query"]?.members.map(\.name) == ["key with spaces"])
    #expect(steps[0]?["headers"]?["X-App"]?.string == "shop")
    #expect(steps[0]?["body"]?["json"]?["user"]?.string == "ann")
    #expect(steps[0]?["extract"]?["id"]?.string == "$.id")
    #expect(
      steps[0]?["expect"]?["where"]?.elements.map { $0.string } == [
        "@.body.user.name == 'ann'",
        "(search(@.body.email, '@') || @.body.email[?@ == '@'])", "length(@.body.roles) == 2",
        "@.body.ok == true",
      ])
    #expect(steps[1]?["endpoint"]?.string == "GET /orders/{{logIn.id}}")
    #expect(steps[1]?["auth"]?["bearer"]?.string == "{{logIn.token}}")
    #expect(steps[1]?["redirects"]?.text == "0")
    #expect(root["environments"]?["live"]?["host"]?.string == "https://shop.example")
    #expect(root["inputs"]?["password"]?["secret"]?.boolean == true)
    #expect(!root.text.contains("k3y-s3cr3t"))
  }

  @Test func whatCannotBeSaidIsNamedWithItsLine() throws {
    let (_, report) = try workflow([
      (
        "a.bru",
        """
        get {
          url: https://a.example/x
          auth: wsse
        }
        assert {
          res.body.a: isJson
        }
        vars:post-response {
          a: Math.random()
        }
        script:pre-request {
          bru.sleep(1);
        }
        strange {
          a: 1
        }
        """
      )
    ])
    #expect(report.refused.map(\.line) == [1, 9, 6, 12])
    #expect(report.approximated.map(\.line) == [14])
  }

  @Test(arguments: [
    ("res.body.a", "neq 1", "@.body.a != 1"), ("res.body.a", "gte 2", "@.body.a >= 2"),
    ("res.body.a", "in x, y", "(@.body.a == 'x' || @.body.a == 'y')"),
    ("res.body.a", "notIn [1, 2]", "@.body.a != 1 && @.body.a != 2"),
    ("res.headers.Via", "notContains x", "!(search(@.headers['via'], 'x'))"),
    ("res.body.a", "startsWith a.b", "match(@.body.a, 'a\\\\.b(.|\\\\n|\\\\r)*')"),
    ("res.body.a", "matches ^\\d+$", "search(@.body.a, '^[0-9]+$')"),
    ("res.body.a", "between 1, 5", "@.body.a >= 1 && @.body.a <= 5"),
    ("res.body.a", "isNumber", "(@.body.a < 0 || @.body.a >= 0)"),
    ("res.body.a", "isNotEmpty", "length(@.body.a) > 0"),
    // A value alone, which looks like a word of another tool.
    ("res.body.a", "test", "@.body.a == 'test'"), ("res.body.a", "not so", "@.body.a == 'not so'"),
  ])
  func anAssertionIsACondition(_ subject: String, _ text: String, _ condition: String) {
    var request = ImportedRequest(line: 1)
    #expect(BrunoExpression.expect(subject, text, &request))
    #expect(request.conditions == [condition])
  }

  @Test func allAssertionsOfTheStatusHold() {
    var request = ImportedRequest(line: 1)
    #expect(BrunoExpression.expect("res.status", "in 200, 201", &request))
    #expect(BrunoExpression.expect("res.status", "eq 201", &request))
    #expect(request.statuses == [201])
    #expect(BrunoExpression.expect("res.status", "neq 500", &request))
    #expect(request.statuses == [201] && request.conditions == ["@.status != 500"])
  }

  @Test func settingsAloneAreNoWorkflow() {
    let problem = #expect(throws: Importer.Problem.self) {
      _ = try workflow([("collection.bru", Self.settings)])
    }
    #expect(
      problem?.message
        == "it has only the settings of a collection; name the files of its requests, too")
  }

  @Test func openCollectionsAreReadAlike() throws {
    let (root, report) = try workflow([
      (
        "create.yml",
        """
        info:
          name: Create user
          type: http
          seq: 1
        http:
          method: POST
          url: https://api.example.com/users/:kind
          params:
            - name: kind
              value: staff
              type: path
            - name: dry
              value: "1"
              type: query
            - name: no
              value: x
              enabled: false
          auth:
            type: basic
            username: ann
            password: p4ss
          body:
            type: json
            data: |
              {"name": "Ann"}
        runtime:
          assertions:
            - expression: res.status
              operator: eq
              value: "201"
          scripts:
            - type: after-response
              code: bru.setVar("id", res.body.id);
        """
      ),
      (
        "get.yml",
        "info:\n  name: Get\n  type: http\n  seq: 2\nhttp:\n  method: GET\n  url: https://api.example.com/users/{{id}}\n"
      ),
    ])
    #expect(report.refused.isEmpty, "\(report.refused)")
    let steps = try #require(root["steps"])
    #expect(steps[0]?["endpoint"]?.string == "POST /users/staff")
    #expect(steps[0]?["query"]?.text == #"{"dry":"1"}"#)
    #expect(steps[0]?["auth"]?["basic"]?["password"]?.string == "{{inputs.password}}")
    #expect(steps[0]?["expect"]?["status"]?.text == "201")
    #expect(steps[0]?["body"]?["json"]?["name"]?.string == "Ann")
    #expect(steps[1]?["endpoint"]?.string == "GET /users/{{createUser.id}}")
  }

  @Test(arguments: [
    "meta {\n", "get {\n  url: https://a.example\n", "get {\n  url: '''\n", "vars {\n",
  ])
  func brokenFilesEnd(_ text: String) {
    _ = try? workflow([("a.bru", text)])
  }
}
