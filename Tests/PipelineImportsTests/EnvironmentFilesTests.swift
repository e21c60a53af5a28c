import PipelineJSONText
import Testing

@testable import PipelineImports

/// Files of environments beside the requests of the same tool.
struct EnvironmentFilesTests {
  struct Tool: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let files: [(name: String, text: String)]
  }

  private static let tools = [
    Tool(
      testDescription: "Postman",
      files: [
        (
          "shop.json",
          """
          {"info": {"name": "a"}, "variable": [{"key": "zone", "value": "a"}],
           "item": [{"name": "a", "request": {"url": "{{host}}/{{zone}}?t={{token}}"}}]}
          """
        ),
        (
          "live.json",
          """
          {"name": "live", "_postman_variable_scope": "environment", "values": [
            {"key": "host", "value": "https://live.example", "enabled": true},
            {"key": "zone", "value": "off", "enabled": false},
            {"key": "token", "value": "k3y", "type": "secret", "enabled": true}]}
          """
        ),
        (
          "globals.json",
          """
          {"name": "My globals", "_postman_variable_scope": "globals", "values": [
            {"key": "host", "value": "https://all.example"}, {"key": "zone", "value": "b"}]}
          """
        ),
      ]),
    Tool(
      testDescription: "Bruno",
      files: [
        (
          "a.bru",
          """
          get {
            url: {{host}}/{{zone}}?t={{token}}
          }
          vars:pre-request {
            zone: a
          }
          """
        ),
        (
          "environments/live.bru",
          """
          vars {
            host: https://live.example
            ~zone: off
          }
          vars:secret [
            token
          ]
          color: #fff
          """
        ),
      ]),
    Tool(
      testDescription: "an OpenCollection in one file",
      files: [
        (
          "opencollection.yml",
          """
          opencollection: "1.0.0"
          info: {name: Shop, version: "1"}
          config:
            environments:
              - name: live
                color: red
                variables:
                  - {name: host, value: "https://live.example"}
                  - {name: zone, value: off, disabled: true}
                  - {name: token, secret: true}
          request:
            variables: [{name: zone, value: a}]
          items:
            - info: {name: Orders, type: folder, seq: 1}
              request:
                headers: [{name: X-Team, value: b}]
              items:
                - info: {name: One, type: http, seq: 1}
                  http: {method: GET, url: "{{host}}/{{zone}}?t={{token}}"}
            - info: {name: Two, type: http, seq: 2}
              http: {method: GET, url: "{{host}}/two"}
          """
        )
      ]),
    Tool(
      testDescription: "Insomnia",
      files: [
        (
          "shop.yaml",
          """
          type: collection.insomnia.rest/5.0
          name: Shop
          collection:
            - {name: a, method: GET, url: "{{ _.host }}/{{ _.zone }}?t={{ _.token }}"}
          environments:
            name: Base
            data: {zone: a}
            subEnvironments:
              - name: live
                data: {host: "https://live.example", token: "c2VjcmV0"}
                environmentType: kv
                kvPairData:
                  - {id: p1, name: host, value: "https://live.example", type: text, enabled: true}
                  - {id: p2, name: token, value: "c2VjcmV0", type: secret, enabled: true}
          """
        )
      ]),
  ]

  @Test(arguments: tools) func valuesOfAFileAreAnEnvironment(_ tool: Tool) throws {
    var importer = Importer(isRelaxed: false)
    let root = try importer.workflow(
      of: tool.files.map { .init(name: $0.name, bytes: Array($0.text.utf8)) }
    ).node
    #expect(importer.report.refused.isEmpty, "\(importer.report.refused)")
    #expect(importer.report.approximated.isEmpty, "\(importer.report.approximated)")
    #expect(root["environments"]?.members.map(\.name) == ["live"])
    #expect(root["environments"]?["live"]?["host"]?.string == "https://live.example")
    #expect(root["environments"]?["live"]?["zone"] == nil)
    #expect(root["environments"]?["live"]?["token"] == nil)
    #expect(root["inputs"]?["zone"]?["default"]?.string == "a")
    #expect(root["inputs"]?["token"]?["secret"]?.boolean == true)
    #expect(!root.text.contains("k3y") && !root.text.contains("c2VjcmV0"))
  }

  @Test func aCollectionInOneFileHasItsFolders() throws {
    var importer = Importer(isRelaxed: false)
    let file = Self.tools[2].files[0]
    let root = try importer.workflow(of: [.init(name: file.name, bytes: Array(file.text.utf8))])
      .node
    #expect(root["name"]?.string == "Shop")
    #expect(root["steps"]?.elements.map { $0["id"]?.string } == ["one", "two"])
    #expect(root["steps"]?[0]?["headers"]?["X-Team"]?.string == "b")
    #expect(root["steps"]?[1]?["headers"] == nil)
  }

  @Test func aVariableOfTheSystemIsOne() throws {
    var importer = Importer(isRelaxed: false)
    let text = "get {\n  url: https://a.example/{{process.env.ZONE}}\n}\n"
    let root = try importer.workflow(of: [.init(name: "a.bru", bytes: Array(text.utf8))]).node
    #expect(root["inputs"]?["zone"]?["env"]?.string == "ZONE")
  }
}
