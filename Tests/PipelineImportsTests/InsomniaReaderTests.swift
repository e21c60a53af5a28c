import PipelineJSONText
import Testing

@testable import PipelineImports

struct InsomniaReaderTests {
  private func workflow(_ text: String) throws -> (root: JSONNode, report: ImportReport) {
    var importer = Importer(isRelaxed: false)
    let value = try importer.workflow(of: [.init(name: "shop.yaml", bytes: Array(text.utf8))])
    return (value.node, importer.report)
  }

  /// The tag is `b64::JC5pdGVtc1swXS5pZA==::46b` for `$.items[0].id`.
  private static let five = """
    type: collection.insomnia.rest/5.0
    name: Shop
    meta:
      id: wrk_1
      description: Orders of a shop
    collection:
      - name: Orders
        meta:
          id: fld_1
          sortKey: -10
        environment:
          host: https://orders.example
        authentication:
          type: bearer
          token: "{% response 'body', 'req_login', 'b64::JC50b2tlbg==::46b', 'never', 60 %}"
        headers:
          - name: X-Team
            value: a
        children:
          - url: "{{ _.host }}/orders/:id"
            name: One order
            meta:
              id: req_order
              sortKey: -1
            method: GET
            parameters:
              - name: full
                value: "{{ _.flags.full }}"
              - name: off
                value: x
                disabled: true
            pathParameters:
              - name: id
                value: "{% response 'body', 'req_list', 'b64::JC5pdGVtc1swXS5pZA==::46b' %}"
            settings:
              followRedirects: "off"
            scripts:
              afterResponse: |-
                insomnia.test('found', () => {
                  insomnia.expect(insomnia.response.code).to.eql(200);
                  insomnia.expect(insomnia.response.json().host).to.eql("insomnia.rest");
                });
                insomnia.environment.set("total", insomnia.response.json().total);
          - url: "{{ _.host }}/orders"
            name: All orders
            meta:
              id: req_list
              sortKey: -2
            method: GET
          - url: "{{ _.host }}/graphql"
            name: Search
            meta:
              id: req_search
              sortKey: 0
            method: POST
            body:
              mimeType: application/graphql
              text: '{"query":"query($q: String) { a(q: $q) }","variables":{"q":"x"}}'
            authentication:
              type: none
      - url: shop.example/login
        name: Log in
        meta:
          id: req_login
          sortKey: 20
        method: POST
        body:
          mimeType: application/json
          text: |-
            {"user": "{{ _.user['name'] }}", "password": "{{ vault.shop_password }}"}
      - url: "{{ _.host }}/upload"
        name: Upload
        meta:
          id: req_upload
          sortKey: 30
        method: PUT
        body:
          mimeType: multipart/form-data
          params:
            - name: file
              type: file
              fileName: ./a.png
            - name: note
              value: "{% now 'iso-8601', '' %}"
        authentication:
          type: apikey
          key: sid
          value: abc
          addTo: cookies
    cookieJar:
      name: Default Jar
      meta:
        id: jar_1
    environments:
      name: Base Environment
      meta:
        id: env_1
      data:
        host: https://shop.example
        flags:
          full: 1
        user:
          name: ann
      subEnvironments:
        - name: Local
          meta:
            id: env_2
          data:
            host: http://127.0.0.1:8080
    """

  @Test func aFileOfVersionFiveIsOneWorkflow() throws {
    let (root, report) = try workflow(Self.five)
    #expect(report.refused.isEmpty, "\(report.refused)")
    #expect(root["name"]?.string == "Shop")
    let steps = root["steps"].items
    // The login comes first: the list sends its token. The list comes before the order.
    #expect(
      steps.map { $0["id"]?.string } == ["logIn", "allOrders", "oneOrder", "search", "upload"])
    #expect(steps[0]["endpoint"]?.string == "POST http://shop.example/login")
    #expect(steps[0]["body"]?["json"]?["user"]?.string == "{{inputs.userName}}")
    #expect(steps[0]["extract"]?["token"]?["secret"]?.boolean == true)
    #expect(steps[1]["auth"]?["bearer"]?.string == "{{logIn.token}}")
    #expect(steps[1]["headers"]?["X-Team"]?.string == "a")
    #expect(steps[1]["extract"]?["id"]?.string == "$.items[0].id")
    let order = steps[2]
    #expect(order["endpoint"]?.string?.hasSuffix("/orders/{{allOrders.id}}") == true)
    #expect(order["query"]?["full"]?.string == "{{inputs.flagsFull}}")
    #expect(order["query"]?["off"] == nil)
    #expect(order["redirects"]?.text == "0")
    #expect(order["expect"]?["status"]?.text == "200")
    #expect(order["expect"]?["where"]?[0]?.string == "@.body.host == 'insomnia.rest'")
    #expect(order["extract"]?["total"]?.string == "$.total")
    #expect(steps[3]["auth"] == nil)
    #expect(steps[3]["body"]?["graphql"] != nil)
    let upload = steps[4]
    #expect(upload["auth"] == nil)
    #expect(upload["cookies"]?["sid"]?.string?.hasPrefix("{{inputs.") == true)
    #expect(!root.text.contains("abc"))
    let inputs = root["inputs"]
    #expect(inputs?["vaultShop_password"]?["secret"]?.boolean == true)
    #expect(inputs?["ordersHost"]?["default"]?.string == "https://orders.example")
    #expect(root["environments"]?["Local"]?["host"]?.string == "http://127.0.0.1:8080")
  }

  @Test func whatCannotBeSaidIsNamedWithItsLine() throws {
    let (_, report) = try workflow(
      """
      _type: export
      __export_format: 4
      resources:
        - _id: wrk_1
          _type: workspace
          name: Shop
        - _id: req_1
          _type: request
          parentId: wrk_1
          name: One
          method: GET
          url: "https://a.example/{{ _.x | upper }}"
          preRequestScript: |-
            insomnia.variables.set("a", 1);
          body: {}
        - _id: greq_1
          _type: grpc_request
          parentId: wrk_1
          name: Two
          url: a.example
        - _id: req_3
          _type: request
          parentId: wrk_1
          name: Three
          method: GET
          url: "https://a.example/{% base64 'encode', 'normal', 'x' %}"
          authentication:
            type: ntlm
            username: a
        - _id: ut_1
          _type: unit_test
          parentId: wrk_1
          name: Good
          code: expect(1).to.eql(1)
      """)
    #expect(report.refused.map(\.line) == [12, 14, 16, 26, 28, 30])
    #expect(report.refused.last?.message == "the test 'Good' is a script; write 'expect'")
  }

  @Test func queriesOfAnotherDialectAreThoseOfTheStandard() throws {
    let (root, report) = try workflow(
      """
      type: collection.insomnia.rest/5.0
      collection:
        - {name: list, method: GET, url: "https://a.example", meta: {id: req_1, sortKey: 1}}
        - name: one
          method: GET
          meta: {id: req_2, sortKey: 2}
          url: "https://a.example/{% response 'body', 'req_1', '$.items[(@.length-1)].id' %}"
          headers:
            - {name: X-A, value: "{% response 'body', 'req_1', '$.items[*]~' %}"}
            - {name: X-B, value: "{% response 'body', 'req_1', '$.items[*]~' %}"}
      """)
    #expect(root["steps"]?[0]?["extract"]?["id"]?.string == "$.items[-1].id")
    #expect(report.refused.map(\.message) == ["'$.items[*]~' is not a query of RFC 9535"])
    #expect(report.refused.map(\.line) == [4])
  }

  @Test func environmentsAloneGoWithACollection() throws {
    var importer = Importer(isRelaxed: false)
    let environment = """
      type: environment.insomnia.rest/5.0
      name: Global
      environments:
        name: Base
        data:
          host: https://base.example
          zone: a
        subEnvironments:
          - name: Live
            data:
              host: https://live.example
      """
    let request = """
      type: collection.insomnia.rest/5.0
      name: Shop
      collection:
        - url: "{{ _.host }}/{{ _.zone }}"
          name: One
          method: GET
      """
    let root = try importer.workflow(of: [
      .init(name: "a.yaml", bytes: Array(request.utf8)),
      .init(name: "b.yaml", bytes: Array(environment.utf8)),
    ]).node
    #expect(root["environments"]?["Live"]?["host"]?.string == "https://live.example")
    #expect(root["environments"]?["Live"]?["zone"]?.string == "a")
  }

  @Test func anOlderExportIsRefusedByName() {
    let problem = #expect(throws: Importer.Problem.self) {
      _ = try workflow("__export_format: 3\nresources: []\n")
    }
    #expect(
      problem?.message
        == "it is an Insomnia export of an older version; export it again as version 4 or 5")
  }

  @Test(arguments: [
    "__export_format: 4\nresources:\n  - {_id: a, parentId: b, _type: request_group}\n"
      + "  - {_id: b, parentId: a, _type: request_group}\n",
    "type: collection.insomnia.rest/5.0\ncollection: 7\n",
    "type: collection.insomnia.rest/5.0\ncollection: [[], 1, {children: {}}]\n",
  ])
  func brokenFilesEnd(_ text: String) {
    #expect(throws: Importer.Problem.self) { _ = try workflow(text) }
  }
}
