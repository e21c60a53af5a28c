import PipelineLanguage
import PipelineLint
import PipelineSourceText
import Testing

/// What lint knows of rows by the format that gives them, seen through its findings.
@Suite struct RowShapeTests {
  /// The messages of a step `list` that reads rows, and of what follows it.
  private func messages(
    _ read: String, extract: String = "$[*]", where condition: String? = nil,
    contract: String? = nil, then step: String = #"{"id": "end", "values": {"n": 1}}"#
  ) -> [String] {
    let expect = condition.map { #", "expect": {"where": ["\#($0)"]}"# } ?? ""
    let contracts = contract.map { #""contracts": {"rows": {"columns": \#($0)}}, "# } ?? ""
    return Fixtures.lint(
      """
      {\(contracts)"steps": [
        {"id": "list", "endpoint": "GET https://a.example/x", "read": \(read)\(expect),
         "extract": {"rows": "\(extract)"}},
        \(step)], "outputs": {"rows": "{{list.rows}}", "end": "{{end}}"}}
      """
    ).map(\.message)
  }

  private static let named = #"{"csv": {"header": false, "columns": ["id", "qty"]}}"#
  private static let counted = #"{"csv": {"columns": {"qty": "integer"}}}"#

  @Test(arguments: [
    (named, "$[*].idd", nil, "a row has no 'idd'; did you mean 'id'?"),
    (named, "$[*].price", nil, "a row has no 'price'; it has 'id', 'qty'"),
    (named, "$[?@.price == '1'].id", nil, "a row has no 'price'; it has 'id', 'qty'"),
    (named, "$[*]", "@.body[0].qtyy", "a row has no 'qtyy'; did you mean 'qty'?"),
    (#""sse""#, "$[*].dat", nil, "an event has no 'dat'; did you mean 'data'?"),
  ])
  func namesThatNoRowHasAreFound(
    read: String, extract: String, condition: String?, message: String
  ) {
    #expect(messages(read, extract: extract, where: condition) == [message])
  }

  private static let sum = #"{"id": "end", "values": {"n": {"$sum": "$.list.rows[*].qty"}}}"#
  private static let lower =
    #"{"id": "end", "forEach": "$.list.rows", "as": "row", "values": {"n": {"$lower": "{{row.qty}}"}}}"#
  private static let isText =
    "'$sum' takes a list of numbers, but an element is a text; 'type' of its extractor, or 'columns'"
    + " of its table, makes it a number"
  private static let isNumber =
    "'$lower' takes a text, but this is a number; '$text' makes a text of it"

  /// A column without a type is a text.
  @Test(arguments: [
    (#""csv""#, sum, isText), (#""tsv""#, sum, isText), (named, sum, isText),
    (#"{"csv": {"columns": {"id": "integer"}}}"#, sum, isText), (counted, lower, isNumber),
  ])
  func aFieldHasTheTypeOfItsColumn(read: String, step: String, message: String) {
    #expect(messages(read, then: step) == [message])
  }

  @Test(arguments: [
    (counted, sum), (#""csv""#, lower), (#"{"csv": {"typed": true}}"#, sum),
    (#"{"csv": {"typed": true}}"#, lower), (#""ndjson""#, sum), (#""ndjson""#, lower),
  ])
  func ofOtherRowsNothingIsClaimed(read: String, step: String) {
    #expect(messages(read, then: step) == [])
  }

  @Test func aContractAndItsTableAgree() {
    let message = "'qty' is a text where it comes from, but a whole number here"
    #expect(messages(#""csv""#, contract: #"{"qty": "integer"}"#) == [message])
    #expect(messages(Self.counted, contract: #"{"qty": "integer", "id": "string"}"#) == [])
    #expect(messages(#"{"csv": {"typed": true}}"#, contract: #"{"qty": "integer"}"#) == [])
  }

  @Test func aFileOfRowsIsKnownByItsReading() {
    let found = Fixtures.lint(
      """
      {"steps": [
        {"id": "v", "forEach": {"$file": "a.csv", "as": \(Self.counted)}, "as": "row",
         "values": {"n": {"$lower": "{{row.qty}}"}, "id": {"$lower": "{{row.id}}"}}}],
       "outputs": {"v": "{{v}}"}}
      """
    ).map(\.message)
    #expect(found.filter { !$0.contains("cannot be read") } == [Self.isNumber])
  }

  /// Gives one file, whatever its path.
  private struct Called: FileLoader {
    let text: String

    func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
      .success(SourceFile(name: path, bytes: Array(text.utf8)))
    }
  }

  /// A run converts the text of a field to the type of an input.
  @Test(arguments: [
    (#"{"$file": "r.csv", "as": "csv"}"#, true),
    (#"{"$file": "r.csv", "as": {"csv": {"header": false, "columns": ["page"]}}}"#, true),
    (#"{"$file": "r.csv", "as": {"csv": {"columns": {"page": "string"}}}}"#, true),
    (#"{"$file": "r.csv", "as": {"csv": {"columns": {"page": "boolean"}}}}"#, false),
  ])
  func aFieldIsGivenToAnInputOfAnyType(rows: String, isAllowed: Bool) {
    let text = """
      {"steps": [{"id": "c", "forEach": \(rows), "as": "row", "workflow": "./called.json",
        "inputs": {"page": "{{row.page}}"}}], "outputs": {"v": "$.c[*].v"}}
      """
    let called = """
      {"inputs": {"page": {"type": "integer"}}, "steps": [], "outputs": {"v": "{{inputs.page}}"}}
      """
    let found = Linter(loader: Called(text: called)).lint(
      SourceFile(name: "w.json", bytes: Array(text.utf8))
    ).diagnostics.filter { $0.code == "wrong-type" }
    #expect(found.isEmpty == isAllowed, "\(found)")
  }
}
