import PipelineJSONText
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Settings of OAuth 2.0 in the files of other tools, as settings of `oauth2`.
struct ImportOAuth2Tests {
  private let folder = TemporaryFolder()

  /// A tool, and the same request in its files.
  struct Tool: Sendable, CustomTestStringConvertible {
    let name: String
    let ending: String
    /// The file for settings of OAuth 2.0, written as the tool writes them.
    let file: @Sendable (String) -> String
    let client: String
    let login: String
    let password: String

    var testDescription: String { name }
  }

  private static let postman = Tool(
    name: "Postman 2.1", ending: "json",
    file: { settings in
      """
      {"info": {"name": "Shop"}, "variable": [{"key": "host", "value": "https://shop.example"}],
       "item": [{"name": "Me", "request": {"method": "GET", "url": "{{host}}/oauth/me",
        "auth": {"type": "oauth2", "oauth2": [\(settings)]}}}]}
      """
    },
    client: """
      {"key": "grant_type", "value": "client_credentials"}, {"key": "scope", "value": "read write"},
      {"key": "accessTokenUrl", "value": "{{host}}/oauth/token"},
      {"key": "clientId", "value": "sandbox-client"}, {"key": "clientSecret", "value": "k3y"},
      {"key": "client_authentication", "value": "body"}, {"key": "accessToken", "value": "0ld"},
      {"key": "tokenRequestParams", "value": [
        {"key": "audience", "value": "shop", "enabled": true, "send_as": "request_body"},
        {"key": "X-Trace", "value": "1", "enabled": true, "send_as": "request_header"}]}
      """,
    login: """
      {"key": "grant_type", "value": "authorization_code_with_pkce"},
      {"key": "authUrl", "value": "https://id.example/authorize"}, {"key": "scope", "value": "read"},
      {"key": "accessTokenUrl", "value": "https://id.example/token"},
      {"key": "redirect_uri", "value": "https://oauth.pstmn.io/v1/callback"},
      {"key": "clientId", "value": "app"}, {"key": "clientSecret", "value": ""},
      {"key": "headerPrefix", "value": "Token"}
      """,
    password: """
      {"key": "grant_type", "value": "password_credentials"}, {"key": "username", "value": "ann"},
      {"key": "password", "value": "k3y"}, {"key": "accessTokenUrl", "value": "https://id.example/t"}
      """)

  private static let postmanFolder = Tool(
    name: "Postman 3.0", ending: "request.yaml",
    file: { settings in
      """
      $kind: http-request
      name: Me
      url: "{{host}}/oauth/me"
      method: GET
      auth:
        - type: oauth2
          credentials:
      \(indented(settings, by: 6))
      """
    },
    client: """
      grant_type: client_credentials
      accessTokenUrl: "{{host}}/oauth/token"
      scope: read write
      clientId: sandbox-client
      clientSecret: k3y
      client_authentication: body
      tokenRequestParams:
        - key: audience
          value: shop
        - key: X-Trace
          value: "1"
          send_as: request_header
      """,
    login: """
      authUrl: https://id.example/authorize
      accessTokenUrl: https://id.example/token
      scope: read
      redirect_uri: https://oauth.pstmn.io/v1/callback
      clientId: app
      headerPrefix: Token
      """,
    password: """
      grant_type: password_credentials
      accessTokenUrl: https://id.example/t
      password: k3y
      """)

  private static let bruno = Tool(
    name: "Bruno", ending: "bru",
    file: { settings in
      """
      meta {
        name: Me
      }
      get {
        url: {{host}}/oauth/me
        auth: oauth2
      }
      \(settings)
      """
    },
    client: """
      auth:oauth2 {
        grant_type: client_credentials
        access_token_url: {{host}}/oauth/token
        refresh_token_url:
        client_id: sandbox-client
        client_secret: k3y
        scope: read write
        credentials_placement: body
        token_placement: header
        token_header_prefix: Bearer
        auto_fetch_token: true
      }
      auth:oauth2:additional_params:access_token_req:body {
        audience: shop
        ~off: x
      }
      auth:oauth2:additional_params:access_token_req:headers {
        X-Trace: 1
      }
      """,
    login: """
      auth:oauth2 {
        grant_type: authorization_code
        callback_url: https://shop.example/callback
        authorization_url: https://id.example/authorize
        access_token_url: https://id.example/token
        client_id: app
        client_secret:
        scope: read
        pkce: true
        token_header_prefix: Token
      }
      """,
    password: """
      auth:oauth2 {
        grant_type: password
        access_token_url: https://id.example/t
        password: k3y
      }
      """)

  private static let openCollection = Tool(
    name: "OpenCollection", ending: "yml",
    file: { settings in
      """
      info:
        name: Me
        type: http
      http:
        method: GET
        url: "{{host}}/oauth/me"
        auth:
          type: oauth2
      \(indented(settings, by: 4))
      """
    },
    client: """
      flow: client_credentials
      accessTokenUrl: "{{host}}/oauth/token"
      credentials:
        clientId: sandbox-client
        clientSecret: k3y
        placement: body
      scope: read write
      additionalParameters:
        accessTokenRequest:
          - name: audience
            value: shop
            placement: body
          - name: X-Trace
            value: "1"
            placement: header
      tokenConfig:
        placement:
          header: Bearer
      """,
    login: """
      flow: authorization_code
      authorizationUrl: https://id.example/authorize
      accessTokenUrl: https://id.example/token
      callbackUrl: https://shop.example/callback
      credentials:
        clientId: app
      scope: read
      tokenConfig:
        placement:
          header: Token
      """,
    password: """
      flow: resource_owner_password
      accessTokenUrl: https://id.example/t
      resourceOwner:
        password: k3y
      """)

  private static let insomnia = Tool(
    name: "Insomnia", ending: "yaml",
    file: { settings in
      """
      type: collection.insomnia.rest/5.0
      name: Shop
      collection:
        - url: "{{ host }}/oauth/me"
          name: Me
          method: GET
          authentication:
            type: oauth2
      \(indented(settings, by: 6))
      """
    },
    client: """
      grantType: client_credentials
      accessTokenUrl: "{{ host }}/oauth/token"
      clientId: sandbox-client
      clientSecret: k3y
      scope: read write
      audience: shop
      credentialsInBody: true
      """,
    login: """
      grantType: authorization_code
      authorizationUrl: https://id.example/authorize
      accessTokenUrl: https://id.example/token
      redirectUrl: https://shop.example/callback
      clientId: app
      clientSecret: ""
      scope: read
      tokenPrefix: Token
      usePkce: true
      """,
    password: """
      grantType: password
      accessTokenUrl: https://id.example/t
      password: k3y
      """)

  private static let tools = [postman, postmanFolder, bruno, openCollection, insomnia]

  private static func indented(_ text: String, by spaces: Int) -> String {
    text.split(separator: "\n").map { String(repeating: " ", count: spaces) + $0 }
      .joined(separator: "\n")
  }

  /// The workflow, which must be clean, and the report.
  private func imported(
    _ tool: Tool, _ settings: String
  ) async throws -> (step: JSONNode, report: String, path: String) {
    let source = folder.write(tool.file(settings), to: "shop.\(tool.ending)")
    let result = await pipeline(["import", source])
    try #require(result.status == .success, "\(result.error)")
    #expect(!result.output.contains("k3y"))
    let path = folder.write(result.output, to: "shop.json")
    #expect(
      await pipeline(["lint", "--strict", path]).error == "No problems in 1 file\n",
      "\(result.output)")
    #expect(await pipeline(["format", "--check", path]).status == .success)
    let root = try JSONDocument.parse(Array(result.output.utf8)).root
    return (try #require(root["steps"]?[0]), result.error, path)
  }

  @Test(arguments: tools)
  func clientCredentialsAreFetchedByTheRun(_ tool: Tool) async throws {
    let (step, report, path) = try await imported(tool, tool.client)
    #expect(
      step["auth"]?.text.filter { !$0.isWhitespace } == """
        {"oauth2":{"tokenURL":"/oauth/token","clientId":"sandbox-client",\
        "clientSecret":"{{inputs.clientSecret}}","clientAuth":"post","scopes":["read","write"],\
        "parameters":{"audience":"shop"}}}
        """, "\(step.text)")
    #expect(
      report.contains("the header 'X-Trace' of the request for a token")
        == (tool.name != "Insomnia"))
    let run = await pipeline([
      "run", path, "-q", "--no-store", "--set", "host=sandbox:/", "--set",
      "clientSecret=sandbox-secret",
    ])
    #expect(run.status == .success, "\(run.error)")
  }

  @Test(arguments: tools)
  func loginsOfPeopleComeBackToThisMachine(_ tool: Tool) async throws {
    let (step, report, _) = try await imported(tool, tool.login)
    #expect(
      step["auth"]?.text.filter { !$0.isWhitespace } == """
        {"oauth2":{"grant":"authorizationCode","authorizationURL":"https://id.example/authorize",\
        "tokenURL":"https://id.example/token","clientId":"app","scopes":["read"]}}
        """, "\(step.text)")
    #expect(report.contains("approximated: a login comes back to a port of this machine"))
    #expect(report.contains("the token is sent after 'Bearer', and not after 'token'"))
  }

  @Test(arguments: tools)
  func aGrantWithoutACounterpartIsNamed(_ tool: Tool) async throws {
    let (step, report, _) = try await imported(tool, tool.password)
    #expect(step["auth"]?["bearer"]?.string == "{{inputs.accessToken}}")
    #expect(report.contains("of OAuth 2.0 has no counterpart, so the token is a secret input"))
    #expect(report.contains("write a step that fetches it with the password"))
  }
}
