import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import PipelineTestSupport
import Testing

/// For every key of the language what is said of values that it does not take.
@Suite struct WrongValueTests {
  @Test(arguments: LanguageObject.Kind.allCases)
  func everyKeySaysWhatItWants(_ kind: LanguageObject.Kind) {
    var text = ""
    for key in kind.object.keys {
      for value in Self.values(against: key.type) {
        let file = KeyExamples.file(with: key, of: kind, value: value)
        let found = Workflow.decode(
          SourceFile(name: "file.json", bytes: Array(file.utf8)), loader: EmptyFiles()
        ).diagnostics.filter { $0.severity == .error }
        text += "\"\(key.name)\": \(value)\n"
        text += found.map { "  \($0.message) [\($0.code)]\n" }.joined()
        #expect(!found.isEmpty, "\(key.name) of \(kind) takes \(value)")
      }
    }
    Snapshot.check(
      text,
      in: Conformance.packageRoot + "/Tests/PipelineWorkflowsTests/Golden/\(kind.rawValue).txt")
  }

  /// The defaults that the tables and docs/language.md name are values that the keys take.
  @Test(arguments: LanguageObject.Kind.allCases)
  func everyKeyTakesItsDefault(_ kind: LanguageObject.Kind) {
    for key in kind.object.keys {
      guard let value = key.defaultValue else { continue }
      let file = KeyExamples.file(with: key, of: kind, value: value)
      let found = Workflow.decode(
        SourceFile(name: "file.json", bytes: Array(file.utf8)), loader: EmptyFiles()
      ).diagnostics.filter { $0.severity == .error }
      #expect(found.isEmpty, "\(key.name) of \(kind) refuses \(value): \(found.map(\.message))")
    }
  }

  /// Values that a key of this type refuses.
  private static func values(against type: LanguageType) -> [String] {
    switch type {
    case .data: ["\"{{inputs.\"", "{\"$base64\": 7}"]
    case .form: ["7", "{\"$base64\": 7}"]
    case .json, .none: []
    case .content: ["7"]
    case .reference: ["7", "\"x\""]
    case .yes: ["\"true\"", "1", "false"]
    case .text, .name, .path, .template, .endpoint, .url: ["7", "\"\""]
    case .pattern: ["7", #""[0-9""#]
    case .boolean: ["\"true\"", "1"]
    case .integer(let minimum): ["\"10\"", "\(minimum - 1)", "1.5"]
    case .number(let minimum): ["\"2\"", "\(minimum - 1)"]
    case .duration, .pause: ["10", "\"10 seconds\"", "\"soon\""]
    case .size: ["1024", "\"64 megabytes\""]
    case .rate: ["100", "\"100\""]
    case .status: ["42", "\"2XX\""]
    case .choice(let names): ["\"\(names[0])x\"", "1"]
    case .bodyQuery, .scopeQuery: ["7", "\"data.id\""]
    case .condition: ["true", "\"$.a.b = 1\""]
    case .schema: ["7"]
    case .object: ["7", "{\"nonsense\": 1}"]
    case .map, .list: ["7"]
    case .several: ["7", "[]"]
    case .either(let types) where types.contains(.boolean): ["1", "\"true\"", "\"soon\""]
    case .either(let types):
      types.contains(.json)
        ? []
        : types.contains(.data) || types.contains(.form) || types.count == 2 && types[1] == .none
          ? values(against: types[0]) : ["true"]
    }
  }
}

/// Every file that is named is there, and says nothing.
struct EmptyFiles: FileLoader {
  func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
    .success(SourceFile(name: path, bytes: Array("{}".utf8)))
  }
}
