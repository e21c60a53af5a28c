import PipelineJSONText
import Testing

@testable import PipelineImports

/// What the HTTP clients of editors write.
struct HTTPFileReaderTests {
  private func workflow(
    _ files: (name: String, text: String)...
  ) throws -> (root: JSONNode, report: ImportReport) {
    var importer = Importer(isRelaxed: false)
    let value = try importer.workflow(
      of: files.map { .init(name: $0.name, bytes: Array($0.text.utf8)) })
    return (value.node, importer.report)
  }

  @Test(arguments: [
    ("GET /p?a=1+2 HTTP/1.1\nHost: a.example", "GET http://a.example/p?a=1+2"),
    ("GET /p\nHost: a.example:443", "GET https://a.example:443/p"),
    ("@h = a.example\n\nGET /p\nHost: {{h}}", "GET http://{{inputs.h}}/p"),
    ("GET https://a.example/p\nHost: a.example", "GET https://a.example/p"),
  ])
  func aPathIsCompletedWithTheHost(text: String, endpoint: String) throws {
    let (root, report) = try workflow(("a.http", text + "\n"))
    #expect(root["steps"]?[0]?["endpoint"]?.string == endpoint)
    #expect(report.refused.isEmpty && report.approximated.isEmpty)
  }

  @Test func anotherHostThanThatOfTheURLIsNamed() throws {
    let (_, report) = try workflow(("a.http", "GET https://a.example/p\nHost: b.example\n"))
    #expect(
      report.approximated.map(\.message) == [
        "the header 'Host' is not taken over: each request has that of its URL"
      ])
  }

  @Test func aMultipartBodyIsParts() throws {
    let (root, report) = try workflow(
      (
        "a.http",
        """
        POST https://a.example/upload
        Content-Type: multipart/form-data; boundary=----X

        ------X
        Content-Disposition: form-data; name="title"

        a {{title}}
        ------X
        Content-Disposition: form-data; name="image"; filename="1.png"
        Content-Type: image/png

        < ./pictures/1.png
        ------X
        Content-Disposition: form-data; name="note"; filename="note.txt"
        Content-Type: text/plain

        hello
        ------X--
        """
      ))
    #expect(report.refused.isEmpty, "\(report.refused)")
    let step = root["steps"]?[0]
    #expect(step?["headers"] == nil)
    let parts = step?["body"]?["multipart"]
    #expect(
      parts?[0]?.text.filter { $0 != " " } == #"{"name":"title","value":"a{{inputs.title}}"}"#)
    #expect(parts?[1]?["file"]?.string == "./pictures/1.png")
    #expect(parts?[1]?["filename"] == nil)
    #expect(parts?[1]?["contentType"]?.string == "image/png")
    #expect(parts?[2]?["value"]?.string == "hello")
    #expect(parts?[2]?["filename"]?.string == "note.txt")
  }

  @Test(arguments: [
    """
    GRAPHQL https://a.example/graphql

    query ($id: ID!) { user(id: $id) { name } }

    { "id": "{{id}}" }
    """,
    """
    POST https://a.example/graphql
    Content-Type: application/json
    X-REQUEST-TYPE: GraphQL

    query ($id: ID!) { user(id: $id) { name } }

    { "id": "{{id}}" }
    """,
  ])
  func aQueryOfGraphQLHasVariables(_ text: String) throws {
    let (root, report) = try workflow(("a.http", text))
    #expect(report.refused.isEmpty, "\(report.refused)")
    let step = root["steps"]?[0]
    #expect(step?["endpoint"]?.string == "POST https://a.example/graphql")
    #expect(step?["headers"] == nil)
    #expect(
      step?["body"]?["graphql"]?["query"]?.string == "query ($id: ID!) { user(id: $id) { name } }")
    #expect(step?["body"]?["graphql"]?["variables"]?["id"]?.string == "{{inputs.id}}")
  }

  @Test(arguments: [
    ("< ./a.xml", "./a.xml", 0), ("<@ ./a.xml", "./a.xml", 1), ("<@latin1 ./a.xml", "./a.xml", 1),
  ])
  func aBodyMayBeAFile(_ body: String, _ path: String, _ notes: Int) throws {
    let (root, report) = try workflow(
      ("a.http", "POST https://a.example\nContent-Type: application/xml\n\n\(body)\n"))
    #expect(root["steps"]?[0]?["body"]?["file"]?.string == path)
    #expect(report.approximated.count == notes)
    #expect(report.refused.isEmpty)
  }

  @Test func aCommentAmongTheLinesOfAURLIsNoPartOfIt() throws {
    let (root, _) = try workflow(
      ("a.http", "GET https://a.example/x\n    ?a=1\n    # not now: &b=2\n    &c=3\n"))
    #expect(root["steps"]?[0]?["query"]?.members.map(\.name) == ["a", "c"])
  }

  @Test func directivesOfRequestsAreSettings() throws {
    let (root, report) = try workflow(
      (
        "a.http",
        """
        # @prompt code The code that you got
        # @timeout 2 m
        # @no-redirect
        GET https://a.example/{{code}}
        """
      ))
    #expect(root["steps"]?[0]?["timeout"]?.string == "120s")
    #expect(root["steps"]?[0]?["redirects"]?.text == "0")
    #expect(root["inputs"]?["code"] != nil)
    #expect(report.approximated.isEmpty && report.refused.isEmpty)
  }

  @Test func whatCannotBeSaidIsNamedWithItsLine() throws {
    let (_, report) = try workflow(
      (
        "a.http",
        """
        GET https://a.example/x

        ###
        PROPFIND https://a.example/x

        ###
        import ./other.http
        run #other

        ###
        POST https://a.example/y
        Content-Type: application/json

        { "a":
        < ./part.json
        }
        """
      ))
    #expect(
      report.refused.map { "\($0.line) \($0.message)" } == [
        "4 'PROPFIND' is not a method that a step has",
        "7 'import ./other.http' names requests of other files; name those files",
        "8 'run #other' names requests of other files; name those files",
        "14 a body of which a file is a part is not translated; write it in one file",
      ])
  }

  // MARK: Environments

  private static let request = """
    GET {{host}}/me
    Authorization: Bearer {{$auth.token("work")}}
    X-Key: {{key}}
    """

  private static let environments = """
    {
      "$shared": { "host": "https://shared.example", "key": "k" },
      "dev": { "host": "https://dev.example" },
      "live": {
        "key": { "provider": "AzureKeyVault", "keyVaultName": "v", "secretName": "s" },
        "Security": { "Auth": { "work": {
          "Type": "OAuth2", "Grant Type": "Device Authorization", "Client ID": "app",
          "Device Auth URL": "https://id.example/device", "Token URL": "https://id.example/token",
          "Scope": "read", "Custom Request Parameters": { "audience": "shop" } } } }
      }
    }
    """

  @Test func environmentsHaveSharedValuesSecretsAndLogins() throws {
    let (root, report) = try workflow(
      ("a.http", Self.request), ("http-client.env.json", Self.environments),
      ("http-client.private.env.json", #"{ "dev": { "host": "https://mine.example" } }"#))
    #expect(report.refused.isEmpty, "\(report.refused)")
    #expect(report.approximated.isEmpty, "\(report.approximated)")
    #expect(root["environments"]?.members.map(\.name) == ["dev", "live"])
    #expect(root["environments"]?["dev"]?["host"]?.string == "https://mine.example")
    #expect(root["environments"]?["live"]?["host"]?.string == "https://shared.example")
    let step = root["steps"]?[0]
    #expect(
      step?["auth"]?.text.filter { $0 != " " } == """
        {"oauth2":{"grant":"deviceAuthorization","deviceAuthorizationURL":"https://id.example/device",\
        "tokenURL":"https://id.example/token","clientId":"app","scopes":["read"],\
        "parameters":{"audience":"shop"}}}
        """)
    #expect(step?["headers"]?["Authorization"] == nil)
  }

  @Test func aLoginWithoutSettingsIsAnInput() throws {
    let (root, report) = try workflow(("a.http", Self.request))
    #expect(root["steps"]?[0]?["auth"]?["bearer"]?.string == "{{inputs.workToken}}")
    #expect(root["inputs"]?["workToken"]?["secret"]?.boolean == true)
    #expect(report.approximated.map(\.line) == [1])
  }
}
