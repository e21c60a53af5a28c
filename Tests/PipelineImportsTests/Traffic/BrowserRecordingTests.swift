import PipelineJSONText
import PipelineRecordings
import Testing

@testable import PipelineImports

/// What is special in the recordings of browsers.
struct BrowserRecordingTests {
  private func imported(_ entries: [String]) throws -> (root: JSONNode, report: ImportReport) {
    let recording =
      "{\"log\": {\"version\": \"1.2\", \"entries\": [\n"
      + entries.joined(separator: ",\n") + "\n]}}"
    let importer = try TrafficImporter(
      file: "a.har", MemoryRecording(Array(recording.utf8)), second: nil, isRelaxed: false)
    let result = importer.result()
    return (result.workflow.node, result.report)
  }

  private static func entry(
    _ request: String, _ status: Int, _ content: String = #"{"mimeType": "application/json"}"#
  ) -> String {
    #"{"time": 1, "request": {\#(request)}, "response": {"status": \#(status), "content": \#(content)}}"#
  }

  private static let get = #""method": "GET", "url": "https://a.example/me""#

  /// A browser asks for what it has already, and a run does not.
  @Test func aResponse304ExpectsASuccess() throws {
    let (root, _) = try imported([Self.entry(Self.get, 304)])
    #expect(root["steps"]?[0]?["expect"]?["status"]?.text.filter { $0 != " " } == "[200,304]")
    #expect(root["steps"]?[0]?["redirects"] == nil)
  }

  @Test func aFormWhoseFieldsAreApartIsSentAsItWas() throws {
    let form =
      #""postData": {"mimeType": "application/x-www-form-urlencoded", "text": "a=1&b=x+y&a=2"}"#
    let (root, report) = try imported([
      Self.entry(#""method": "POST", "url": "https://a.example/f", \#(form)"#, 200)
    ])
    #expect(root["steps"]?[0]?["body"]?["text"]?.string == "a=1&b=x+y&a=2")
    #expect(
      root["steps"]?[0]?["headers"]?["Content-Type"]?.string
        == "application/x-www-form-urlencoded")
    #expect(report.approximated.isEmpty, "\(report.approximated)")
  }

  @Test func responsesWithoutTheirBodiesAreNoticed() throws {
    let (_, report) = try imported([
      Self.entry(Self.get, 200, #"{"mimeType": "application/json", "size": 512}"#),
      Self.entry(#""method": "GET", "url": "https://a.example/x""#, 204),
    ])
    #expect(
      report.approximated.map { "\($0.line) \($0.message)" } == [
        "2 a response is recorded without a body, so values that come from there stay as they were"
          + " sent"
      ])
  }
}
