import PipelineFormats
import PipelineJSONText
import PipelineTemplates
import Testing

/// The forms that make a text of rows, and files that hold rows.
struct RowFormTests {
  @Test(
    arguments: [
      (
        #"{"$csv": [{"a": 1, "b": "x"}, {"b": "y,z", "c": null}]}"#,
        "a,b,c\r\n1,x,\r\n,\"y,z\",\r\n"
      ),
      (
        #"{"$csv": {"of": [{"a": "x;y", "b": "1"}], "delimiter": ";"}}"#, "a;b\r\n\"x;y\";\"1\"\r\n"
      ),
      (#"{"$csv": {"of": [{"a": "x,y"}], "delimiter": "\t"}}"#, "a\r\nx,y\r\n"),
      (#"{"$csv": "{{list}}"}"#, nil), (#"{"$csv": []}"#, ""),
      (#"{"$csv": [1, "a"]}"#, "value\r\n1\r\na\r\n"),
      (#"{"$ndjson": [{"a": 1.50}, "x", null, [2]]}"#, "{\"a\":1.50}\n\"x\"\nnull\n[2]\n"),
      (#"{"$ndjson": []}"#, ""),
    ] as [(String, String?)])
  func rowsBecomeText(json: String, text: String?) throws {
    let written = try DataFixture.written(json)
    if let text { #expect(written == JSONValue.string(text).node.text) }
    #expect(!written.hasPrefix("error"), "\(written)")
  }

  @Test(arguments: [
    (#"{"$csv": "{{gone}}"}"#, "absent"), (#"{"$ndjson": "{{gone}}"}"#, "absent"),
    (#"{"$csv": "{{name}}"}"#, "error: dataForm"), (#"{"$ndjson": "{{name}}"}"#, "error: dataForm"),
    (
      #"{"$csv": {"of": [], "delimiter": ";;"}}"#,
      #"problem: 'delimiter' of '$csv' takes one ASCII character such as ";" or "\t""#
    ),
    (
      #"{"$file": "a.csv", "read": "csv"}"#,
      #"problem: a file is read 'as': {"$file": "a.csv", "as": "csv"}"#
    ),
    (
      #"{"$file": "a.csv", "as": "cvs"}"#,
      #"problem: 'as' must be one of "json", "text", "base64", "size", "csv", "tsv", "#
        + #""ndjson", "xml"; "#
        + #"did you mean "csv"?"#
    ),
  ])
  func whatCannotBeRowsIsSaid(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test func theObjectBesideAFileSaysHowItIsRead() throws {
    let node = try JSONDocument.parse(
      Array(#"{"$file": "a.csv", "as": {"csv": {"delimiter": ";"}}}"#.utf8)
    ).root
    var format = SeparatedFormat(.csv)
    format.delimiter = UInt8(ascii: ";")
    let options = try #require(node["as"])
    let (data, problems) = DataTemplate.parse(
      node, allowsQueries: true,
      fileReadings: [options.index: .format(.separated(format), nil)])
    #expect(problems.isEmpty)
    guard case .form(let form as FileForm) = data.root else {
      Issue.record("not a form")
      return
    }
    #expect(form.reading == .format(.separated(format), nil))
    #expect(data.shortForm == "a.csv")
  }
}
