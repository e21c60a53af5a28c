import PipelineJSONText
import Testing

@testable import PipelineImports

/// The files of a Postman 3.0 collection.
struct PostmanFolderTests {
  private func workflow(
    _ files: [(name: String, text: String)], isFound: Bool = true
  ) throws -> (root: JSONNode, report: ImportReport) {
    var importer = Importer(isRelaxed: false)
    let value = try importer.workflow(
      of: files.map { .init(name: $0.name, bytes: Array($0.text.utf8), isFound: isFound) })
    return (value.node, importer.report)
  }

  private static let collection = """
    $kind: collection
    name: Shop
    description: Orders
    variables:
      - key: baseUrl
        value: https://shop.example
    auth:
      - id: 1
        type: bearer
        name: bearer auth
        credentials:
          token: "{{accessToken}}"
    """

  private static let login = """
    $kind: http-request
    name: Log in
    url: "{{baseUrl}}/login"
    method: POST
    order: 1000
    headers:
      - key: X-Team
        value: a
      - key: X-Off
        value: b
        disabled: true
    auth:
      type: noauth
    body:
      type: json
      content: |-
        {"user": "ann", "password": "{{vault:shop password}}"}
    scripts:
      - type: afterResponse
        language: text/javascript
        code: |-
          pm.test("in", () => pm.response.to.have.status(200));
          pm.environment.set("accessToken", pm.response.json().token);
    """

  private static let order = """
    $kind: http-request
    url: '{{baseUrl}}/orders/:id?full=1'
    method: GET
    order: 2000
    headers:
      Accept: application/json
    queryParams:
      - key: full
        value: '1'
      - key: page
        value: '2'
        disabled: true
    pathVariables:
      - key: id
        value: '7'
    """

  private static let upload = """
    $kind: http-request
    url: "{{baseUrl}}/files"
    method: POST
    order: 1000
    body:
      type: formdata
      content:
        - key: file
          type: file
          src: ./a.png
        - key: note
          value: hello
    """

  @Test func filesOfAFolderAreOneWorkflow() throws {
    let (root, report) = try workflow([
      ("Shop/.resources/definition.yaml", Self.collection),
      ("Shop/Files/.resources/definition.yaml", "$kind: collection\norder: 3000\n"),
      ("Shop/Files/Upload.request.yaml", Self.upload),
      ("Shop/Order.request.yaml", Self.order),
      ("Shop/Sign in.request.yaml", Self.login),
      ("Shop/.resources/Order.resources/examples/a.example.yaml", "$kind: http-example\n"),
      ("Shop/readme.yaml", "a: 1\n"),
      (
        "env/Local.environment.yaml",
        "name: Local\nvalues:\n  - key: baseUrl\n    value: http://l\n"
      ),
    ])
    #expect(report.refused.isEmpty, "\(report.refused)")
    #expect(root["name"]?.string == "Shop")
    let steps = root["steps"].items
    #expect(steps.map { $0["id"]?.string } == ["logIn", "order", "upload"])
    #expect(root["defaults"]?["baseURL"]?.string == "{{inputs.baseUrl}}")
    #expect(steps[0]["auth"] == nil)
    #expect(steps[0]["headers"]?["X-Team"]?.string == "a")
    #expect(steps[0]["headers"]?["X-Off"] == nil)
    #expect(steps[0]["expect"]?["status"]?.text == "200")
    #expect(steps[1]["endpoint"]?.string == "GET /orders/7")
    #expect(steps[1]["query"]?["full"]?.string == "1")
    #expect(steps[1]["query"]?["page"] == nil)
    #expect(steps[1]["auth"]?["bearer"]?.string == "{{logIn.accessToken}}")
    #expect(steps[2]["auth"]?["bearer"]?.string == "{{logIn.accessToken}}")
    #expect(steps[2]["body"]?["multipart"] != nil)
    #expect(root["inputs"]?["vaultShopPassword"]?["secret"]?.boolean == true)
    #expect(root["environments"]?["Local"]?["baseUrl"]?.string == "http://l")
  }

  @Test func whatCannotBeSaidIsNamedWithItsLine() throws {
    let (_, report) = try workflow([
      (
        "a.request.yaml",
        """
        $kind: http-request
        url: https://a.example/x
        method: GET
        body:
          type: strange
        auth:
          type: ntlm
        scripts:
          - type: beforeRequest
            code: |-
              // why
              pm.environment.set("a", 1);
        """
      ), ("b.request.yaml", "$kind: grpc-request\nurl: x\n"),
    ])
    #expect(report.refused.map(\.line) == [5, 7, 12, 1])
  }

  @Test func whatAFolderSaysDoesNotLeaveIt() throws {
    let (root, _) = try workflow([
      ("a/.resources/definition.yaml", Self.collection),
      ("a/One.request.yaml", "$kind: http-request\nurl: https://a.example/1\nmethod: GET\n"),
      ("b/Two.request.yaml", "$kind: http-request\nurl: https://a.example/2\nmethod: GET\n"),
    ])
    #expect(root["steps"].items.map { $0["auth"] != nil } == [true, false])
  }

  @Test func aNamedFileOfAnUnknownKindIsAProblem() {
    #expect(throws: Importer.Problem.self) {
      _ = try workflow([("a.yaml", Self.upload), ("b.yaml", "a: 1\n")], isFound: false)
    }
  }
}
