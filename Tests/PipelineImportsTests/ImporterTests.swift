import PipelineJSONText
import PipelineTestTraits
import Testing

@testable import PipelineImports

struct ImporterTests {
  private func workflow(
    _ files: [(name: String, text: String)], relaxed: Bool = false
  ) throws -> (root: JSONNode, report: ImportReport) {
    var importer = Importer(isRelaxed: relaxed)
    let value = try importer.workflow(
      of: files.map { .init(name: $0.name, bytes: Array($0.text.utf8)) })
    return (value.node, importer.report)
  }

  private static let http = """
    @host = https://api.example.com
    @json = application/json

    ### Log in
    # @name login
    POST {{host}}/login HTTP/1.1
    Content-Type: {{json}}
    X-Api-Key: abc123

    { "user": "{{user}}", "password": "{{password}}", "count": {{count}} }

    > {%
      client.test("ok", function() { client.assert(response.status === 200, "no"); });
      client.global.set("session", response.body.session.id);
    %}

    ### Orders
    GET {{host}}/orders?since={{since}}
      &page=1
    Authorization: Bearer {{login.response.body.$.token}}
    Cookie: sid={{session}}

    ###
    PUT {{host}}/orders/1/label
    Content-Type: application/pdf

    < ./label.pdf
    """

  @Test func namedRequestsAreAGraph() throws {
    let (root, report) = try workflow([("a.http", Self.http)])
    #expect(report.refused.isEmpty)
    #expect(report.translated == 3)
    let steps = try #require(root["steps"])
    #expect(steps.elements.map { $0["id"]?.string } == ["login", "orders", "label"])
    #expect(steps[0]?["endpoint"]?.string == "POST /login")
    #expect(steps[0]?["extract"]?["token"]?["body"]?.string == "$.token")
    #expect(steps[0]?["extract"]?["token"]?["secret"]?.boolean == true)
    #expect(steps[0]?["expect"]?["status"]?.number?.description == "200")
    #expect(steps[0]?["body"]?["json"]?["count"]?.string == "{{inputs.count}}")
    #expect(steps[1]?["auth"]?["bearer"]?.string == "{{login.token}}")
    #expect(steps[1]?["query"]?.members.map(\.name) == ["since", "page"])
    #expect(steps[1]?["headers"]?["Cookie"]?.string == "sid={{login.session}}")
    #expect(steps[2]?["body"]?["file"]?.string == "./label.pdf")
    #expect(root["order"]?.string == "listed")
    #expect(root["defaults"]?["baseURL"]?.string == "{{inputs.host}}")
    #expect(root["inputs"]?["host"]?["default"]?.string == "https://api.example.com")
    #expect(root["inputs"]?["password"]?["secret"]?.boolean == true)
  }

  /// A key is one whatever its name, and a URL may hold a user and a password.
  @Test(arguments: [
    (
      "c.json", ["hard1", "hard2"],
      """
      {"info": {"name": "c"}, "variable": [{"key": "mine", "value": "hard1"}],
       "item": [
         {"name": "a", "request": {"method": "GET", "url": "https://a.example/a",
           "auth": {"type": "apikey", "apikey": [{"key": "key", "value": "X-Shop"},
             {"key": "value", "value": "{{mine}}"}, {"key": "in", "value": "header"}]}}},
         {"name": "b", "request": {"method": "GET", "url": "https://a.example/b",
           "auth": {"type": "apikey", "apikey": [{"key": "key", "value": "shop"},
             {"key": "value", "value": "hard2"}, {"key": "in", "value": "query"}]}}}]}
      """
    ),
    (
      "a.bru", ["hard1"],
      """
      meta {
        name: a
      }
      get {
        url: https://a.example/a
        auth: apikey
      }
      auth:apikey {
        key: X-Shop
        value: hard1
        placement: header
      }
      """
    ),
    ("a.http", ["hard1"], "GET https://ann:hard1@a.example/x?y=http://b@c"),
    ("a.hurl", ["hard%401"], "GET https://ann:hard%401@a.example/x\nHTTP 200\n"),
    (
      "d.json", ["hard1"],
      """
      {"info": {"name": "d"}, "variable": [{"key": "base", "value": "https://ann:hard1@a.example"}],
       "item": [{"name": "a", "request": {"method": "GET", "url": "{{base}}/a"}}]}
      """
    ),
  ]) func credentialsAreKnownByTheirPlace(
    _ name: String, _ secrets: [String], _ text: String
  ) throws {
    let (root, report) = try workflow([(name, text)])
    #expect(report.refused.isEmpty && report.approximated.isEmpty, "\(report)")
    for secret in secrets { #expect(!root.text.contains(secret), "\(root.text)") }
    let inputs = try #require(root["inputs"])
    let isSecret = inputs.members.filter { $0.value["secret"]?.boolean == true }
    #expect(isSecret.count == secrets.count, "\(root.text)")
    let step = try #require(root["steps"]?[0])
    guard text.contains("ann:") else { return }
    #expect(step["auth"]?["basic"]?["user"]?.string == "ann")
    #expect(step["auth"]?["basic"]?["password"]?.string == "{{inputs.password}}")
    #expect(!root.text.contains("ann:") && root.text.contains("https://a.example"))
  }

  /// A base that is made of others is worked out for an environment that gives it, or gives them.
  @Test func aVariableThatIsMadeOfOthersHasAValueInEachEnvironment() throws {
    let (root, report) = try workflow([
      ("a.http", "@host = api.example.com\n@base = https://{{host}}/v1\n\nGET {{base}}/a\n"),
      (
        "http-client.env.json",
        """
        {"local": {"base": "http://localhost:3000"}, "dev": {"host": "dev.example.com"},
         "own": {"host": "own.example.com", "base": "http://{{host}}/dev"}}
        """
      ),
    ])
    #expect(report.refused.isEmpty, "\(report.refused)")
    #expect(root["defaults"]?["baseURL"]?.string == "{{inputs.base}}")
    #expect(root["inputs"]?["base"]?["default"]?.string == "https://api.example.com/v1")
    let environments = root["environments"]
    #expect(environments?["local"]?["base"]?.string == "http://localhost:3000")
    #expect(environments?["dev"]?["base"]?.string == "https://dev.example.com/v1")
    #expect(environments?["own"]?["base"]?.string == "http://own.example.com/dev")
  }

  @Test func secretsHaveEnvironmentVariablesOfTheirOwn() throws {
    let (root, _) = try workflow([
      (
        "c.json",
        """
        {"info": {"name": "c"}, "variable": [{"key": "hook",
          "value": "https://hooks.slack.com/services/T0001/B0001/Xabc12345"}],
         "item": [{"name": "a", "request": {"method": "POST", "url": "{{hook}}",
           "body": {"mode": "raw", "raw": "{\\"apiKey\\": \\"second222\\", \\"api_key\\": \\"third3333\\"}",
             "options": {"raw": {"language": "json"}}}}}]}
        """
      )
    ])
    let inputs = try #require(root["inputs"])
    let names = inputs.members.compactMap { $0.value["env"]?.string }
    #expect(names.count == 3 && Set(names).count == 3, "\(root.text)")
    #expect(!root.text.contains("hooks.slack.com") && !root.text.contains("third3333"))
  }

  @Test(arguments: [
    (
      "https://api.telegram.org/bot123456:AAE-abc123def456/sendMessage?chat_id=1",
      "/bot{{inputs.botToken}}/sendMessage"
    ),
    (
      "https://hooks.slack.com/services/T0001/B0001/Xabc12345def",
      "/services/T0001/B0001/{{inputs.webhook}}"
    ),
    ("https://hooks.slack.com/services/{{team}}", "/services/{{inputs.team}}"),
  ]) func aSecretSegmentOfAURLIsAnInput(url: String, path: String) throws {
    let (root, report) = try workflow([("a.hurl", "POST \(url)\nHTTP 200\n")])
    #expect(report.refused.isEmpty)
    let endpoint = try #require(root["steps"]?[0]?["endpoint"]?.string)
    #expect(endpoint.hasSuffix(path), "\(endpoint)")
    #expect(!root.text.contains("AAE-abc") && !root.text.contains("Xabc12345"), "\(root.text)")
    let isSecret = root["inputs"]?.members.contains { $0.value["secret"]?.boolean == true }
    #expect(isSecret == !url.contains("{{"))
  }

  @Test func aUserInTheURLOfAnEnvironmentIsNamed() throws {
    let (root, report) = try workflow([
      ("a.http", "GET {{base}}/x"),
      ("http-client.env.json", #"{"dev": {"base": "https://ann:hard1@a.example"}}"#),
    ])
    #expect(!root.text.contains("hard1"))
    #expect(
      report.refused.map(\.message) == [
        "the user and the password in 'base' of the environment 'dev' are left out: write 'auth'"
          + " with 'basic'"
      ])
  }

  /// What credentials a file holds, the workflow does not.
  @Test func credentialsAreNotKept() throws {
    let (root, _) = try workflow([("a.http", Self.http)])
    #expect(!root.text.contains("abc123"))
    let (other, _) = try workflow([
      (
        "c.json",
        """
        {"info": {"name": "c"}, "variable": [{"key": "apiToken", "value": "s3cr3t"}],
         "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "hard"}]},
         "item": [{"name": "a", "request": {"method": "POST", "url": "https://a.example/x?api_key=q1",
           "header": [{"key": "X-Token", "value": "{{apiToken}}"}],
           "body": {"mode": "raw", "raw": "{\\"password\\": \\"p4ss\\"}",
             "options": {"raw": {"language": "json"}}}}}]}
        """
      )
    ])
    for secret in ["s3cr3t", "hard", "p4ss", "q1"] {
      #expect(!other.text.contains("\"\(secret)\""))
    }
  }

  @Test func aCollectionHasFoldersVariablesAndEnvironments() throws {
    let collection = """
      {"info": {"name": "shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/"},
       "variable": [{"key": "base-url", "value": "localhost:3000/"}],
       "item": [
        {"name": "Users", "auth": {"type": "basic", "basic": [
           {"key": "username", "value": "ann"}, {"key": "password", "value": "{{pw}}"}]}, "item": [
          {"name": "Create user", "event": [{"listen": "test", "script": {"exec": [
             "pm.test('s', function () {", "  pm.response.to.have.status(201);", "});",
             "pm.collectionVariables.set('id', pm.response.json().id);"]}}],
           "request": {"method": "POST", "url": {"raw": "{{base-url}}/users"},
             "body": {"mode": "urlencoded", "urlencoded": [{"key": "name", "value": "x y"}]}}},
          {"name": "Create user", "request": {"method": "GET", "auth": {"type": "noauth"},
             "url": {"raw": "{{base-url}}/users/:id?a=1", "variable": [{"key": "id", "value": "{{id}}"}],
               "query": [{"key": "a", "value": "1"}, {"key": "b", "value": "2", "disabled": true}]}}}
        ]}]}
      """
    let environment = """
      {"name": "live", "values": [{"key": "base-url", "value": "https://shop.example", "enabled": true}]}
      """
    let (root, report) = try workflow([("c.json", collection), ("e.json", environment)])
    #expect(report.refused.isEmpty)
    #expect(root["inputs"]?["baseUrl"]?["default"]?.string == "http://localhost:3000")
    #expect(root["environments"]?["live"]?["baseUrl"]?.string == "https://shop.example")
    let steps = try #require(root["steps"])
    #expect(steps.elements.map { $0["id"]?.string } == ["createUser", "createUser2"])
    #expect(steps[0]?["auth"]?["basic"]?["user"]?.string == "ann")
    #expect(steps[0]?["body"]?["form"]?["name"]?.string == "x y")
    #expect(steps[0]?["extract"]?["id"]?.string == "$.id")
    #expect(steps[1]?["endpoint"]?.string == "GET /users/{{createUser.id}}")
    #expect(steps[1]?["auth"] == nil)
    #expect(steps[1]?["query"]?.members.map(\.name) == ["a"])
  }

  @Test func whatCannotBeSaidIsNamedWithItsLine() throws {
    let (_, report) = try workflow([
      (
        "a.http",
        """
        GET https://a.example/x
        X-Id: {{$guid}}

        > {%
          client.global.set("x", Math.random());
        %}

        ###
        WEBSOCKET wss://a.example/y
        """
      )
    ])
    #expect(report.approximated.map(\.line) == [2])
    #expect(report.refused.map(\.line) == [5, 9])
  }

  @Test func relaxedFilesAreOrderedByDataAlone() throws {
    let (root, _) = try workflow([("a.http", Self.http)], relaxed: true)
    #expect(root["order"] == nil)
  }

  @Test(arguments: ["{", "{\"a\": 1}", "[1]", "", "### nothing\n"])
  func otherFilesAreRefused(_ text: String) {
    #expect(throws: Importer.Problem.self) { _ = try workflow([("x", text)]) }
  }

  /// Values that are made of themselves end.
  @Test func circlesOfVariablesEnd() throws {
    let (_, report) = try workflow([
      ("a.http", "@a = {{b}}x\n@b = {{a}}y\nGET https://a.example/{{a}}\n")
    ])
    #expect(report.refused.count == 1)
  }

  /// Lines belong to the file of the requests, also if a file of an environment was read after it.
  @Test(arguments: [true, false]) func theReportNamesTheFileOfALine(isFirst: Bool) throws {
    let collection = Importer.File(
      name: "shop.json",
      bytes: Array(
        """
        {"info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
         "item": [
          {"name": "a", "request": {"method": "PUT", "url": "https://a.example/{{$guid}}",
           "body": {"mode": "file", "file": {"src": "/home/ada/cat.png"}}}}]}
        """.utf8))
    let environment = Importer.File(
      name: "dev.json",
      bytes: Array(
        #"{"name": "dev", "values": [{"key": "a", "value": "b", "enabled": true}], "_postman_variable_scope": "environment"}"#
          .utf8))
    var importer = Importer(isRelaxed: false)
    _ = try importer.workflow(
      of: isFirst ? [collection, environment] : [environment, collection])
    #expect(importer.report.approximated.count >= 2)
    #expect(importer.report.approximated.allSatisfy { $0.file == "shop.json" })
  }
}
