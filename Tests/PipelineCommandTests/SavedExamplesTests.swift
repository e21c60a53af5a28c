import Foundation
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Responses that other tools keep as examples or mocks, as tests.
struct SavedExamplesTests {
  private let folder = TemporaryFolder()

  /// The files of a tool: a login, and an order that sends its token.
  struct Tool: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let files: [(name: String, text: String)]
  }

  private static let bruno = Tool(
    testDescription: "Bruno",
    files: [
      (
        "login.bru",
        """
        meta {
          name: Log in
          seq: 1
        }
        post {
          url: {{host}}/login
        }
        vars:post-response {
          token: res.body.token
        }
        example {
          name: wrong

          response: {
            status: {
              code: 401
            }
          }
        }
        example {
          name: good
          request: {
            url: {{host}}/login
            body:json: {
              {
                "a": 1
              }
            }
          }

          response: {
            headers: {
              content-type: application/json
              ~off: 1
            }

            status: {
              code: OK
              text: 200
            }

            body: {
              type: json
              content: '''
                {
                  "token": "real-token-12345"
                }
              '''
            }
          }
        }
        """
      ),
      (
        "order.bru",
        """
        meta {
          name: Order
          seq: 2
        }
        get {
          url: {{host}}/orders/7
          auth: bearer
        }
        auth:bearer {
          token: {{token}}
        }
        vars:post-response {
          total: res.body.total
        }
        example {
          response: {
            body: {
              type: json
              content: '''
                {"total": 12}
              '''
            }
          }
        }
        """
      ),
    ])

  private static func openCollection(
    _ name: String, _ number: Int, _ rest: String, _ example: String
  ) -> String {
    """
    info: {name: \(name), type: http, seq: \(number)}
    http:
    \(rest)
    examples:
      - name: one
        response:
    \(example)
    """
  }

  private static let openCollectionTool = Tool(
    testDescription: "OpenCollection",
    files: [
      (
        "login.yml",
        openCollection(
          "Log in", 1, "  method: POST\n  url: \"{{host}}/login\"",
          """
                status: 200
                headers: [{name: content-type, value: application/json}]
                body: {type: json, data: '{"token": "real-token-12345"}'}
          """)
            + """

            runtime:
              scripts:
                - type: after-response
                  code: bru.setVar("token", res.body.token);
            """
      ),
      (
        "order.yml",
        openCollection(
          "Order", 2,
          "  method: GET\n  url: \"{{host}}/orders/7\"\n"
            + "  auth: {type: bearer, token: \"{{token}}\"}",
          """
                status: 200
                body: {type: json, data: '{"total": 12}'}
          """)
            + """

            runtime:
              scripts:
                - type: after-response
                  code: bru.setVar("total", res.body.total);
            """
      ),
    ])

  private static let mockServer = Tool(
    testDescription: "the mock server of an OpenCollection",
    files: openCollectionTool.files.map { name, text in
      (name, text.replacing("\nexamples:", with: "\nignored:"))
    } + [
      (
        "mock.yml",
        """
        info: {name: Mocks, type: mock}
        mock: {port: 4000}
        routes:
          - name: any
            request: {method: GET, url: "/:what/:id"}
            response: {status: 200, body: {type: json, data: '{"total": 99}'}}
          - name: order
            request: {method: GET, url: "/orders/:id"}
            response: {status: 200, body: {type: json, data: '{"total": 12}'}}
          - name: login
            request: {method: POST, url: "https://mock.example/login"}
            response: {status: 200, body: {type: json, data: '{"token": "real-token-12345"}'}}
        """
      )
    ])

  private static let postman = Tool(
    testDescription: "Postman 3.0",
    files: [
      (
        "Login.request.yaml",
        """
        $kind: http-request
        name: Log in
        order: 1000
        method: POST
        url: "{{host}}/login"
        scripts:
          - type: http:afterResponse
            code: pm.environment.set("token", pm.response.json().token);
        """
      ),
      (
        "Order.request.yaml",
        """
        $kind: http-request
        order: 2000
        method: GET
        url: "{{host}}/orders/7"
        auth: {type: bearer, credentials: {token: "{{token}}"}}
        scripts:
          - type: afterResponse
            code: pm.environment.set("total", pm.response.json().total);
        """
      ),
      (
        ".resources/Login.resources/examples/Good.example.yaml",
        """
        $kind: http-example
        request: {method: POST, url: "{{host}}/login"}
        response:
          statusCode: 200
          headers: [{key: content-type, value: application/json}]
          body: {type: json, content: '{"token": "real-token-12345"}'}
        """
      ),
      (
        ".resources/Order.resources/examples/Good.example.yaml",
        """
        $kind: http-example
        response:
          statusCode: 200
          body: {type: json, content: '{"total": 12}'}
        """
      ),
    ])

  private static let insomnia = Tool(
    testDescription: "Insomnia",
    files: [
      (
        "shop.yaml",
        """
        type: collection.insomnia.rest/5.0
        name: Shop
        collection:
          - name: Log in
            url: "{{ _.host }}/login"
            method: POST
            meta: {id: req_1, sortKey: 1}
          - name: Order
            url: "{{ _.host }}/orders/7"
            method: GET
            meta: {id: req_2, sortKey: 2}
            authentication:
              type: bearer
              token: "{% response 'body', 'req_1', '$.token' %}"
            scripts:
              afterResponse: insomnia.environment.set("total", insomnia.response.json().total);
        """
      ),
      (
        "mock.yaml",
        """
        type: mock.insomnia.rest/5.0
        name: Mocks
        server: {url: "https://mock.example", useInsomniaCloud: false}
        routes:
          - name: /login
            method: POST
            statusCode: 200
            mimeType: application/json
            headers: []
            body: '{"token": "real-token-12345"}'
          - name: /orders/7
            method: GET
            statusCode: 200
            mimeType: application/json
            body: '{"total": 12}'
        """
      ),
    ])

  private static let tools = [bruno, openCollectionTool, mockServer, postman, insomnia]

  @Test(arguments: tools) func examplesBecomeATestThatPasses(_ tool: Tool) async throws {
    for (name, text) in tool.files { folder.write(text, to: "source/" + name) }
    let output = folder.path + "/shop.json"
    let result = await pipeline(["import", folder.path + "/source", "-o", output, "--tests"])
    #expect(result.status == .success, "\(result.error)")
    #expect(
      result.error.contains("wrote \(output), \(folder.path)/shop.test.json"), "\(result.error)")
    let test = try #require(
      try? String(contentsOfFile: folder.path + "/shop.test.json", encoding: .utf8))
    #expect(!test.contains("real-token-12345"))
    #expect(test.contains(#""outputs": { "total": 12 }"#), "\(test)")
    #expect(await pipeline(["test", folder.path + "/shop.test.json"]).status == .success)
  }

  @Test func mocksAloneAreNoWorkflow() async {
    let file = folder.write(Self.insomnia.files[1].text, to: "mock.yaml")
    let result = await pipeline(["import", file])
    #expect(result.status == .usage)
    #expect(
      result.error.contains(
        "it has only the responses of a mock server; name the file with the requests, too"))
  }
}
