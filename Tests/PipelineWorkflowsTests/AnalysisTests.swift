import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import PipelineTestSupport
import Testing

/// What an editor is told of a place, in whole files and in half-written ones.
///
/// A place is marked with `‸`, which is taken out before the text is read.
@Suite struct AnalysisTests {
  private static let whole = """
    {
      "inputs": { "page": { "type": "integer", "default": 1, "description": "Where to begin." } },
      "steps": [
        {
          "id": "list",
          "description": "All users.",
          "endpoint": "GET https://api.example.com/users",
          "query": { "page": "{{inputs.page}}" },
          "extract": { "ids": "$.data[*].id", "total": { "body": "$.total", "type": "integer" } },
          "timeout": "10s"
        },
        {
          "id": "user",
          "forEach": "$.list.ids",
          "as": "id",
          "when": "$.list.total > 0",
          "dependsOn": ["list"],
          "endpoint": "GET https://api.example.com/users/{{id}}",
          "extract": { "name": "$.name" }
        }
      ],
      "outputs": { "names": "$.user[*].name", "count": "{{list.total}}" }
    }
    """

  /// The text without the mark, and where that stood.
  private static func marked(_ text: String) -> (text: String, offset: Int) {
    let parts = text.split(separator: "‸", maxSplits: 1, omittingEmptySubsequences: false)
    return (parts.joined(), parts[0].utf8.count)
  }

  private static func analysis(_ text: String) -> (analysis: WorkflowAnalysis, offset: Int) {
    let (text, offset) = marked(text)
    let file = SourceFile(name: "a.json", bytes: Array(text.utf8))
    return (WorkflowAnalysis(file, loader: EmptyFiles()), offset)
  }

  /// `whole` with the mark within the first place of `text`.
  private static func pointing(at text: String, _ marked: String) throws -> String {
    let range = try #require(whole.firstRange(of: text))
    return whole[..<range.lowerBound] + marked + whole[range.upperBound...]
  }

  private static func symbol(_ text: String) -> WorkflowSymbol? {
    let (analysis, offset) = analysis(text)
    return analysis.symbol(at: offset)
  }

  private static func words(_ text: String) -> [String] {
    let (analysis, offset) = analysis(text)
    return analysis.completions(at: offset).map(\.text)
  }

  @Test func aKeyIsToldWithItsMeaningAndType() throws {
    let text = try Self.pointing(at: "\"timeout\": \"10s\"", "\"time‸out\": \"10s\"")
    guard case .key(let key)? = Self.symbol(text) else {
      Issue.record("no key")
      return
    }
    #expect(key.name == "timeout")
    #expect(key.type == "duration or time limits or `null`")
    #expect(key.meaning.hasSuffix("."))
    #expect(Self.whole.utf8.count > key.range.upperBound)
  }

  @Test(arguments: [
    (
      "\"page\": \"{{inputs.page}}\"", "\"page\": \"{{inputs.pa‸ge}}\"", "the input 'page'",
      "a whole number"
    ),
    ("{{list.total}}", "{{list.tot‸al}}", "'total', which step 'list' extracts", "a whole number"),
    ("{{list.total}}", "{{li‸st.total}}", "step 'list'", "an object with 'ids', 'total'"),
    ("$.list.ids", "$.list.ids‸", "'ids', which step 'list' extracts", "a list"),
    (
      "$.list.total > 0", "$.list.tota‸l > 0", "'total', which step 'list' extracts",
      "a whole number"
    ),
    ("$.user[*].name", "$.user[*].na‸me", "'name', which step 'user' extracts", "a list"),
    ("{{id}}", "{{‸id}}", "the item in step 'user'", "of unknown type"),
  ])
  func aReferenceIsToldWithItsDefinitionAndType(
    _ text: String, _ marked: String, _ meaning: String, _ type: String
  ) throws {
    let source = try Self.pointing(at: text, marked)
    let (analysis, offset) = Self.analysis(source)
    guard case .reference(let reference)? = analysis.symbol(at: offset) else {
      Issue.record("no reference")
      return
    }
    #expect(reference.meaning == meaning)
    #expect(reference.type == type)
    // The definition names what the reference reads.
    let definition = try #require(reference.definition)
    let name = analysis.file.text(definition).filter { $0 != "\"" }
    #expect(name == analysis.file.text(reference.range))
    #expect(reference.range.contains(offset) || reference.range.upperBound == offset)
  }

  @Test(arguments: [
    (#"{"$so‸"}"#, ["$sort"]), (#"{"$sort": {"‸"}}"#, ["of", "by", "descending"]),
    (#"{"$sort": {"of": "$.a", "d‸": true}}"#, ["descending"]), (#"{"$sum": {"‸"}}"#, []),
  ])
  func formsAndTheirOptionsAreProposed(_ value: String, _ names: [String]) {
    let text = "{\"steps\": [{\"id\": \"a\", \"values\": {\"b\": \(value)}}]}"
    #expect(Self.words(text).filter { !$0.hasPrefix("$") || names.contains($0) } == names)
  }

  @Test func aStateValueIsKnownWhereItIsReadAndGiven() throws {
    let text = """
      {"state": {"since": {"type": "date", "description": "How far.", "next": "{{state.since}}"}},
       "steps": [{"id": "a", "values": {"b": "{{state.since}}"}}], "outputs": {"c": "{{a.b}}"}}
      """
    let reading = text.replacing("\"b\": \"{{state.since", with: "\"b\": \"{{state.si‸nce")
    guard case .reference(let reference)? = Self.symbol(reading) else {
      Issue.record("no reference")
      return
    }
    #expect(reference.meaning == "the state value 'since'")
    #expect(reference.description == "How far." && reference.type == "a text, may be absent")
    let giving = text.replacing("\"since\": {", with: "\"si‸nce\": {")
    guard case .name(let name)? = Self.symbol(giving) else {
      Issue.record("no name")
      return
    }
    #expect(name.range == reference.definition && name.references.count == 2)
  }

  @Test func whatTheAuthorSaysOfAThingIsTold() throws {
    let text = try Self.pointing(at: "{{inputs.page}}", "{{inputs.‸page}}")
    guard case .reference(let reference)? = Self.symbol(text) else {
      Issue.record("no reference")
      return
    }
    #expect(reference.description == "Where to begin.")
  }

  @Test(arguments: [
    ("\"id\": \"list\"", "\"id\": \"li‸st\"", ["list", "list", "\"list\"", "list"]),
    ("\"total\": {", "\"to‸tal\": {", ["total", "total"]),
    ("\"inputs\": { \"page\"", "\"inputs\": { \"pa‸ge\"", ["page"]),
    ("\"as\": \"id\"", "\"as\": \"i‸d\"", ["id"]),
    ("\"extract\": { \"name\"", "\"extract\": { \"na‸me\"", ["name"]),
  ])
  func aNameIsToldWithWhatReadsIt(_ text: String, _ marked: String, _ read: [String]) throws {
    let source = try Self.pointing(at: text, marked)
    let (analysis, offset) = Self.analysis(source)
    guard case .name(let name)? = analysis.symbol(at: offset) else {
      Issue.record("no name")
      return
    }
    #expect(name.references.map { analysis.file.text($0) } == read)
    #expect(name.references == name.references.sorted { $0.lowerBound < $1.lowerBound })
    // Each of them leads back.
    for range in name.references where !analysis.file.text(range).hasPrefix("\"") {
      guard case .reference(let reference)? = analysis.symbol(at: range.lowerBound) else {
        Issue.record("no reference at \(range)")
        continue
      }
      #expect(reference.definition == name.range)
    }
  }

  @Test func aFindingIsToldWithItsFix() {
    let (analysis, offset) = Self.analysis(
      #"{ "steps": [{ "id": "a", "endpo‸nt": "GET https://api.example.com/" }] }"#)
    let findings = analysis.findings.filter {
      $0.range.lowerBound <= offset && offset <= $0.range.upperBound
    }
    #expect(findings.map(\.code) == ["unknown-key"])
    #expect(findings.first?.fix?.edits.first?.replacement == "\"endpoint\"")
  }

  @Test(arguments: [
    // Cut off inside of a string, in mid-template, in mid-name.
    (
      #"{"inputs": {"page": {"type": "integer"}}, "steps": [{"id": "list", "endpoint": "GET https://a.example/{{inputs.pa‸ge"#,
      "the input 'page'"
    ),
    (
      #"{"steps": [{"id": "list", "values": {"total": 5}}, {"id": "b", "endpoint": "GET https://a.example/{{list.to‸tal}}"#,
      "'total', which step 'list' computes"
    ),
    // A comma is missing.
    (
      #"{"steps": [{"id": "list" "values": {"total": 5}}, {"id": "b", "when": "$.list.tot‸al > 1", "wait": "1s"}]}"#,
      "'total', which step 'list' computes"
    ),
    // The template is not closed, and other members follow.
    (
      #"{"steps": [{"id": "list", "values": {"total": 5}}, {"id": "b", "values": {"x": "{{list.‸total", "y": 1}}]}"#,
      "'total', which step 'list' computes"
    ),
    // The step that reads has no id, and there is no closing bracket.
    (
      #"{"steps": [{"id": "list", "values": {"total": 5}}, {"endpoint": "GET https://a.example/{{list.total‸}}""#,
      "'total', which step 'list' computes"
    ),
    // The loop name, before the file ends.
    (
      #"{"steps": [{"id": "b", "forEach": [1, 2], "as": "n", "endpoint": "GET https://a.example/{{‸n}}"#,
      "the item in step 'b'"
    ),
  ])
  func aHalfWrittenFileStillTellsWhatStandsThere(_ text: String, _ meaning: String) {
    guard case .reference(let reference)? = Self.symbol(text) else {
      Issue.record("no reference")
      return
    }
    #expect(reference.meaning == meaning)
    #expect(reference.definition != nil)
  }

  @Test(arguments: [
    (
      #"{"inputs": {"page": {"type": "integer"}, "size": {}}, "steps": [{"id": "a", "endpoint": "GET https://a.example/{{inputs.‸"#,
      ["page", "size"]
    ),
    (
      #"{"inputs": {"page": {}}, "steps": [{"id": "list", "values": {"total": 5}}, {"id": "b", "endpoint": "GET https://a.example/{{‸"#,
      ["list", "inputs", "run"]
    ),
    (
      #"{"steps": [{"id": "list", "values": {"total": 5, "text": ""}}, {"id": "b", "when": "$.list.to‸"#,
      ["total"]
    ),
    (#"{"steps": [{"id": "one", "wait": "1s"}, {"id": "two", "dependsOn": ["o‸"]}]}"#, ["one"]),
    (
      #"{"steps": [{"id": "one", "wait": "1s", "onError": "‸"}]}"#, ["fail", "continue", "recover"]
    ),
    (#"{"steps": [{"id": "one", "endpoint": "GET https://a.example/", "pag‸"}]}"#, ["paginate"]),
    (#"{"steps": [], "o‸"#, ["order", "outputs"]),
    (#"{"inputs": {}, "st‸": 1}"#, ["state", "steps"]),
    (
      #"{"state": {"since": {"type": "date"}, "page": {}}, "steps": [{"id": "a", "endpoint": "GET https://a.example/{{state.‸"#,
      ["page", "since"]
    ),
    (
      #"{"steps": [{"id": "a", "values": {"b": 1}}], "state": {"since": {"next": "{{‸"#,
      ["a", "inputs", "run", "state"]
    ),
    (#"{"state": {"since": {"n‸"#, ["next"]),
    (#"{"steps": [{"id": "a", "values": {"b": {"c": [{"$m‸"#, ["$merge", "$min", "$max"]),
    (#"{"steps": [{"id": "a", "values": {"b": {"$s‸": 1, "c": 1}}}]}"#, []),
    (#"{"steps": [{"id": "a", "values": {"b": 1, "c": "$.a[{{i‸"#, ["inputs"]),
    (
      #"{"steps": [{"id": "g", "steps": [{"id": "in", "wait": "1s"}], "outputs": {"x": "{{i‸"#,
      ["in", "inputs"]
    ),
    (#"{"steps": [{"id": "a", "choose": [{"when": "$.x == 1", "end‸"}]}]}"#, ["endpoint"]),
    (#"{"steps": [{"id": "a", "choose": [{"onE‸"}]}]}"#, []),
    (#"{"steps": [{"id": "a", "fail": {"m‸"#, ["message"]),
    (#"{"steps": [{"id": "a", "wait": "1s", "onError": {"re‸"#, ["recover"]),
    (
      #"{"steps": [{"id": "a", "wait": "1s", "onError": {"recover": ["fail", "s‸"]}}]}"#,
      ["status", "schema"]
    ),
    (
      #"{"steps": [{"id": "a", "choose": [{"when": "$.x == 1", "values": {"u": 1}}, {"values": {"v": 1}}]}, {"id": "b", "values": {"w": "{{a.‸"#,
      ["u", "v"]
    ),
    (
      #"{"steps": [{"id": "a", "choose": [{"values": {"u": 1}}]}, {"id": "b", "choose": [{"values": {"w": "{{‸"#,
      ["a", "inputs", "run"]
    ),
  ])
  func whatMayFollowIsProposed(_ text: String, _ words: [String]) {
    #expect(Self.words(text) == words)
  }

  @Test func aValueOfAChoiceLeadsToABranchThatGivesIt() throws {
    let (analysis, offset) = Self.analysis(
      """
      {"steps": [
         {"id": "a", "choose": [{"when": "$.run.id == '1'", "values": {"u": 1}},
           {"endpoint": "GET https://a.example/", "extract": {"v": "$.v"}}]}],
       "outputs": {"x": "{{a.‸v}}"}}
      """)
    guard case .reference(let reference)? = analysis.symbol(at: offset) else {
      Issue.record("no reference")
      return
    }
    #expect(reference.meaning == "'v', which step 'a' extracts")
    #expect(analysis.file.text(try #require(reference.definition)) == "\"v\"")
    guard case .name(let name)? = analysis.symbol(at: try #require(reference.definition).lowerBound)
    else {
      Issue.record("no name")
      return
    }
    #expect(name.references == [reference.range])
  }

  /// Every broken workflow of the corpus, at many places.
  @Test func noDefectKeepsFromAnswering() throws {
    let folder = Conformance.packageRoot + "/Tests/PipelineWorkflowsTests/Corpus"
    var told = 0
    for name in Fixtures.entries(of: folder) {
      for entry in try CorpusTests.cases(of: folder + "/" + name) {
        let bytes = Array(entry.workflow.utf8)
        let analysis = WorkflowAnalysis(
          SourceFile(name: "a.json", bytes: bytes), loader: FixtureLoader())
        for offset in stride(from: 0, through: bytes.count, by: 19) {
          _ = analysis.completions(at: offset)
          guard let symbol = analysis.symbol(at: offset) else { continue }
          told += 1
          #expect(symbol.range.lowerBound <= offset && offset <= symbol.range.upperBound)
          guard case .reference(let reference) = symbol, let definition = reference.definition
          else {
            continue
          }
          #expect(definition.upperBound <= bytes.count)
        }
      }
    }
    #expect(told > 500)
  }

  @Test func noPlaceOfNoFileIsTooMuch() {
    let bytes = Array(Self.whole.utf8)
    for length in stride(from: 0, through: bytes.count, by: 7) {
      let analysis = WorkflowAnalysis(
        SourceFile(name: "a.json", bytes: Array(bytes[..<length])), loader: EmptyFiles())
      for offset in Set([0, length / 2, max(0, length - 1), length, length + 9]) {
        let symbol = analysis.symbol(at: offset)
        #expect(symbol.map { $0.range.upperBound <= length } ?? true)
        for completion in analysis.completions(at: offset) { #expect(!completion.text.isEmpty) }
      }
    }
  }
}
