import PipelineJSONText
import PipelineRecordings
import Testing

@testable import PipelineImports

/// Values that a page gives in its fields.
struct HTMLTagTests {
  private static let token = "csrf-5d41402abc4b2a76"

  @Test(arguments: [
    (#"<input type="hidden" name="_csrf" value="TOKEN">"#, #"name="_csrf" value="([^"]*)"#),
    (
      #"<input value="TOKEN" type="hidden" name="_csrf"/>"#,
      #"value="([^"]*)" type="hidden" name="_csrf""#
    ),
    ("<input type='hidden' name='_csrf' value='TOKEN'>", "name='_csrf' value='([^']*)"),
    (
      "<INPUT NAME=_csrf\n  TYPE=hidden VALUE=TOKEN>",
      #"NAME=_csrfNEWLINE  TYPE=hidden VALUE=([^ \t\r\n"'>]+)"#
    ),
    ("<meta content='TOKEN' name=\"_csrf\">", #"content='([^']*)' name="_csrf""#),
    (
      #"<input disabled name = "_csrf" data-x='>' value = "TOKEN">"#,
      #"name = "_csrf" data\-x='>' value = "([^"]*)"#
    ),
  ])
  func aFieldIsFoundInAnyOrderAndWithAnyQuotes(_ field: String, _ pattern: String) throws {
    let page =
      "<html><form><input name=other value=1>" + field
      + "</form></html>"
      .replacing("TOKEN", with: Self.token)
    let html = JSONValue.string(page.replacing("TOKEN", with: Self.token)).node.text
    let recording = """
      {"log": {"version": "1.2", "entries": [
        {"time": 1, "request": {"method": "GET", "url": "https://a.example/form"},
         "response": {"status": 200, "content": {"mimeType": "text/html", "text": \(html)}}},
        {"time": 1, "request": {"method": "POST", "url": "https://a.example/form",
           "postData": {"mimeType": "application/x-www-form-urlencoded",
             "text": "_csrf=\(Self.token)&x=1"}},
         "response": {"status": 200, "content": {"mimeType": "text/plain", "text": "ok"}}}
      ]}}
      """
    let importer = try TrafficImporter(
      file: "a.har", MemoryRecording(Array(recording.utf8)), second: nil, isRelaxed: false)
    let root = importer.result().workflow.node
    let extractor = root["steps"]?[0]?["extract"]?.members.map { $0 }.first
    #expect(extractor?.value["regex"]?.string == pattern.replacing("NEWLINE", with: "\n"))
    #expect(extractor?.name == "_csrf")
    #expect(
      root["steps"]?[1]?["body"]?["form"]?["_csrf"]?.string
        == "{{\(root["steps"]?[0]?["id"]?.string ?? "")._csrf}}")
  }

  @Test func halfATagEnds() throws {
    let tag = HTMLTag("input name=id value=1> text")
    #expect(tag.attributes.map(\.name) == ["name", "value"])
    #expect(tag["value"]?.value == "1")
    #expect(HTMLTag("input").attributes.isEmpty)
    #expect(HTMLTag("input a='").attributes.map(\.value) == [""])
  }
}
