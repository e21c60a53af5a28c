import PipelineJSONText
import Testing

@testable import PipelineImports

/// A query keeps its bytes, whatever format it comes from.
struct QueryBytesTests {
  private static let queries = [
    "a=%2f", "a=%7e", "a=b:c/d?e@f", "a=!$()*,", "a[]=1&a[]=2", "a=1;b=2", "a=b=c", "a==&b=",
    "=v&x=1", "flag&x=1", "a=1&&b=2", "a=1&", "", "a=1&b=2&a=3", "a=1+2", "a=%20&b=+",
  ]

  private func step(_ name: String, _ text: String) throws -> JSONNode {
    var importer = Importer(isRelaxed: false)
    let value = try importer.workflow(of: [.init(name: name, bytes: Array(text.utf8))])
    #expect(importer.report.refused.isEmpty && importer.report.approximated.isEmpty)
    return try #require(value.node["steps"]?[0])
  }

  @Test(arguments: queries)
  func aQueryThatARunWouldEncodeInAnotherWayIsPartOfTheEndpoint(query: String) throws {
    let url = "https://a.example/x?" + query
    let postman = """
      {"info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/"},
       "item": [{"name": "a", "request": "\(url)"}]}
      """
    let files = [
      ("a.hurl", "GET \(url)\nHTTP 200"), ("a.http", "GET \(url)\n"), ("a.json", postman),
      ("a.bru", "meta {\n  name: a\n}\nget {\n  url: \(url)\n}\n"),
    ]
    for (name, text) in files {
      let step = try step(name, text)
      #expect(step["endpoint"]?.string == "GET " + url, "\(name)")
      #expect(step["query"] == nil)
    }
  }

  /// These are the bytes that a run makes of fields.
  @Test(arguments: [
    ("a=1&b=x%20y&c=%2F%3A", #"{"a":"1","b":"x y","c":"/:"}"#),
    ("a=1&a=2&b=", #"{"a":["1","2"],"b":""}"#),
  ])
  func anotherQueryIsAMapOfItsFields(query: String, map: String) throws {
    let step = try step("a.http", "GET https://a.example/x?\(query)\n")
    #expect(step["endpoint"]?.string == "GET https://a.example/x")
    #expect(step["query"]?.text == map)
  }

  @Test(arguments: [
    "sig", "signature", "X-Amz-Signature", "X-Amz-Security-Token", "X-Goog-Signature", "api_key",
    "token",
  ])
  func theCredentialInAQueryIsSecretInEachFormat(name: String) throws {
    for (file, end) in [("a.http", "\n"), ("a.hurl", "\nHTTP 200")] {
      var importer = Importer(isRelaxed: false)
      let text = "GET https://a.example/x?flag&\(name)=s3%2fcr3t\(end)"
      let value = try importer.workflow(of: [.init(name: file, bytes: Array(text.utf8))])
      let endpoint = try #require(value.node["steps"]?[0]?["endpoint"]?.string)
      // The bytes between its parts are those that the tool sends.
      #expect(endpoint.contains("&\(name)={{inputs."), "\(endpoint)")
      #expect(endpoint.contains("}}%2f{{inputs."), "\(endpoint)")
      #expect(!value.node.text.contains("cr3t"))
    }
  }
}
