import PipelineJSONText
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Credentials in the query of a recording: the same bytes are sent, and they are not in the file.
struct ImportRecordedQueryTests {
  private let folder = TemporaryFolder()

  /// What is beside a value of a response keeps its bytes.
  @Test(arguments: [
    ("/b?x=%2f&id=abc+12%2F3&y=1:2&z", "GET https://a.example/b?x=%2f&id={{a.id}}&y=1:2&z"),
    ("/b/abc%2012%2f3/c?q=~&r=%7e", "GET https://a.example/b/{{a.id}}/c?q=~&r=%7e"),
  ])
  func aValueOfAResponseIsReplacedInAURL(target: String, endpoint: String) async throws {
    func entry(_ target: String, _ answer: String) -> String {
      """
      {"time": 1,
        "request": {"method": "GET", "url": "https://a.example\(target)", "headers": []},
        "response": {"status": 200, "headers": [],
          "content": {"mimeType": "application/json", "text": \(answer)}}}
      """
    }
    let har = """
      {"log": {"version": "1.2", "entries": [\(entry("/a", #""{\"id\": \"abc 12/3\"}""#)),
        \(entry(target, #""{}""#))]}}
      """
    let result = await pipeline(["import", folder.write(har, to: "a.har")])
    try #require(result.status == .success, "\(result.error)")
    let file = try JSONDocument.parse(Array(result.output.utf8)).root
    let base = file["defaults"]?["baseURL"]?.string ?? ""
    let written = file["steps"]?[1]?["endpoint"]?.string?.replacing("GET /", with: "GET \(base)/")
    #expect(written == endpoint)
  }

  @Test(arguments: [
    // As inputs are encoded.
    ("api_key=h4rd%2Fkey&b=1", "{{inputs.api_key}}", 1),
    // In lower case, as blanks of forms, not at all, and what need not be encoded.
    ("token=h4rd%2fkey%3d&b=1", "?token={{inputs.token}}%2f{{inputs.token2}}%3d&b=1", 2),
    ("token=h4rd+key&b=1", "?token={{inputs.token}}+{{inputs.token2}}&b=1", 2),
    ("token=h4rd/key:x&b=1", "?token={{inputs.token}}/{{inputs.token2}}:{{inputs.token3}}&b=1", 3),
    ("flag&token=h4rd%2Fkey", "?flag&token={{inputs.token}}", 1),
    ("token=h4rd%61key", "?token={{inputs.token}}%61{{inputs.token2}}", 2),
  ]) func aCredentialIsSentAsItWasRecorded(
    _ query: String, _ written: String, _ count: Int
  ) async throws {
    let har = """
      {"log": {"version": "1.2", "entries": [{"time": 1,
        "request": {"method": "GET", "url": "https://a.example/x?\(query)", "headers": []},
        "response": {"status": 200, "headers": [],
          "content": {"mimeType": "application/json", "text": "{}"}}}]}}
      """
    let path = folder.write(har, to: "a.har")
    let result = await pipeline(["import", "--format", "json", path])
    try #require(result.status == .success, "\(result.error)")
    let report = try JSONDocument.parse(Array(result.output.utf8)).root
    #expect(report["proof"]?["asRecorded"]?.text == "1", "\(report.text)")
    let workflow = try #require(report["workflow"])
    #expect(workflow.text.contains(written), "\(workflow.text)")
    #expect(!workflow.text.contains("h4rd"), "\(workflow.text)")
    let secrets = workflow["inputs"]?.members.filter { $0.value["secret"]?.boolean == true }
    #expect(secrets?.count == count, "\(workflow.text)")
    let differs = report["approximated"]?.elements.contains {
      $0["message"]?.string?.contains("encoded in another way than the") == true
    }
    #expect(differs != true, "\(report.text)")
  }
}
