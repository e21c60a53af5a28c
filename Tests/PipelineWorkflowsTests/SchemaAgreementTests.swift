import PipelineJSONSchemas
import PipelineJSONText
import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import PipelineTestSupport
import Testing

/// The language's JSON Schema and the decoder say the same of structure: both are asked about every key
/// of the language's tables, with values of each kind.
@Suite struct SchemaAgreementTests {
  private static let schema: Schema? = {
    guard let document = try? JSONDocument.parse(LanguageSchema.text) else { return nil }
    return Schema.parse(document.root).schema
  }()

  @Test(arguments: LanguageObject.Kind.allCases)
  func everyValueOfEveryKeyIsJudgedAlike(_ kind: LanguageObject.Kind) throws {
    for (number, key) in kind.object.keys.enumerated() {
      for value in LongTests.share(Self.values, step: 3, part: number) + [key.example] {
        try Self.check(KeyExamples.file(with: key, of: kind, value: value), key, of: kind)
      }
    }
  }

  /// Names of every form, and all that any rule keeps for itself, wherever an author gives a name.
  @Test func everyNameIsJudgedAlike() throws {
    let kept = NameRule.allCases.flatMap(\.reserved)
    let names = Set(kept + ["a", "_", "A1_", "item", "1a", "a-b", "a b", "é", "", "x-a", "$a"])
    var count = 0
    for kind in LanguageObject.Kind.allCases {
      for key in kind.object.keys {
        for name in names where key.type == .name {
          try Self.check(KeyExamples.file(with: key, of: kind, value: "\"\(name)\""), key, of: kind)
          count += 1
        }
        guard key.names != nil else { continue }
        let example = try JSONDocument.parse(Array(key.example.utf8)).root
        let members = Array(example.members)
        let value = try #require(members.first).value.text
        for name in names {
          let text = "{\"\(name)\": \(value)}"
          try Self.check(KeyExamples.file(with: key, of: kind, value: text), key, of: kind)
          count += 1
        }
      }
    }
    #expect(count > 100)
  }

  @Test(arguments: LanguageObject.Kind.allCases)
  func whatIsMissingOrTooMuchIsJudgedAlike(_ kind: LanguageObject.Kind) throws {
    for key in kind.object.keys {
      let file = KeyExamples.file(with: key, of: kind)
      let pair = "\"\(key.name)\": \(key.example)"
      try Self.check(file.replacing(pair, with: pair + ", \"nonsense\": 1"), key, of: kind)
      try Self.check(file.replacing(pair, with: "\"x-\(key.name)\": 1"), key, of: kind)
      for other in kind.object.keys where other.name != key.name {
        let both = pair + ", \"\(other.name)\": \(other.example)"
        if !file.contains("\"\(other.name)\":") {
          try Self.check(file.replacing(pair, with: both), key, of: kind)
        }
      }
    }
  }

  private static func check(
    _ file: String, _ key: LanguageKey, of kind: LanguageObject.Kind
  ) throws {
    let schema = try #require(Self.schema)
    let allowed = schema.validate(try JSONDocument.parse(Array(file.utf8)).root).isEmpty
    let errors = Workflow.decode(
      SourceFile(name: "file.json", bytes: Array(file.utf8)), loader: EmptyFiles()
    ).diagnostics.filter { $0.severity == .error }
    if !allowed {
      #expect(
        !errors.isEmpty || key.type == .list(.name), "only the schema refuses \(key.name): \(file)")
    } else if ![.parameter, .output, .body].contains(kind) {
      // Beside data, which may be anything, the schema takes these objects as they come.
      let structural = errors.filter { Self.isStructural($0) }
      #expect(structural.isEmpty, "only lint refuses \(key.name): \(file)")
    }
  }

  /// Whether a schema could know it. What one value says of another, amounts and the names of other
  /// things are lint's.
  private static func isStructural(_ finding: Diagnostic) -> Bool {
    let structural = [
      "unknown-key", "missing-key", "misplaced-key", "conflicting-keys", "wrong-type",
      "invalid-name", "reserved-name", "invalid-value",
    ]
    let judged = [
      "out of range", "null removes a default", "no environment is named", "is not an origin",
      "cannot be kept to a part of one",
      "cannot contain a template", "of 'enum'", "in its 'enum'", "'status' tests a response",
      "a page's own URL needs none", "carried values go where", "cannot be in one step",
      "names one file",
      "the range would never end", "'clientSecret' or 'refreshToken'",
      "must be a text, a list of texts or a data form", "tells a short page by its records",
      "decides nothing",
      "is one ASCII character",
      "'sign' needs", "which 'headers' does not give", "which 'status' does not give",
      // An object of one remark looks like a data form.
      "'forEach' lacks the key", "'settle'", "the look-up is the same",
      "belongs to windows of time", "leave it out for yes or no",
      "is a date, so", "all of it begins again", "\"{{seconds}}s\"",
      // A bound of windows may be a date, so the schema takes any text.
      "'from' must be a whole number", "'to' must be a whole number",
      "'by' must be a whole number", "because 'by' is an amount of time",
      "is not the base URL of a server", "is not a SHA-256",
      "and there are no 'outputs'", "looks at one row after another", "no step recovers from",
      "gives a list of rows; write",
      // What a grant needs depends on the grant.
      "belongs to \"grant\"", "'clientAuth' needs", "lacks the key 'clientId'",
      "needs 'parameters'", "needs 'authorizationURL'", "needs 'deviceAuthorizationURL'",
      "must be an http address of this machine",
      "'refreshToken' needs", "nothing reads 'clientSecret'",
    ]
    return structural.contains(finding.code) && !judged.contains { finding.message.contains($0) }
  }

  /// One of each kind of value, and those at the edges.
  private static let values = [
    "null", "true", "false", "0", "1", "-1", "1.5", "1e2", "1.0", "99", "100", "599", "600",
    #""""#, #"" ""#, #""x""#, #""error""#, #""a b""#, #""1a""#, #""10s""#, #""0s""#, #""1.5s""#,
    #""64MB""#, #""0B""#, #""100/1m""#, #""0/1m""#, #""1/0s""#, #""4xx""#, #""404""#, #""$.a""#,
    #""{{inputs.x}}""#, #""GET /""#, #""https://a.example""#, "[]", "{}", "[1]", #"["x"]"#,
    #"["$.a"]"#, #"{"a": 1}"#, #"{"a": "$.b"}"#, #"{"a": {}}"#, #"{"x-a": 1}"#,
    #"{"$comment": "c"}"#, "[{}]", "[[]]", #"[200, "4xx"]"#, #"["network"]"#,
  ]
}
