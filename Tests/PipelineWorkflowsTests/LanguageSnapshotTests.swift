import PipelineByteText
import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import PipelineTestSupport
import Testing

/// The declarations of the language as programs and editors get them.
@Suite struct LanguageSnapshotTests {
  @Test func theSchemaOfWorkflowsIsTheRecordedOne() {
    Self.check(String(decoding: LanguageSchema.text, as: UTF8.self), "schema.json")
  }

  @Test func theSchemaOfTestsIsTheRecordedOne() {
    Self.check(String(decoding: LanguageSchema.textOfTests, as: UTF8.self), "schema-tests.json")
  }

  /// For each key, the text for its name and the names that may still stand beside it.
  @Test func editorsShowWhatIsRecorded() throws {
    var text = ""
    for kind in LanguageObject.Kind.allCases {
      text += "\(kind)\n"
      for key in kind.object.keys {
        let file = KeyExamples.file(with: key, of: kind)
        // The object is the innermost that has the key with its example.
        let member = "\"\(key.name)\": \(key.example)"
        let place = try #require(file.ranges(of: member).last, "\(key.name) of \(kind)")
        let offset = file.utf8.distance(from: file.startIndex, to: place.lowerBound) + 1
        let analysis = WorkflowAnalysis(
          SourceFile(name: "file.json", bytes: Array(file.utf8)), loader: EmptyFiles())
        guard case .key(let symbol)? = analysis.symbol(at: offset) else {
          // `$lint` is a key of every object, and not in their tables.
          text += "  \(key.name) has no text\n"
          continue
        }
        let given = symbol.defaultValue.map { " = \($0)" } ?? ""
        let isRequired = symbol.isRequired ? ", required" : ""
        text += "  \(symbol.name)\(given): \(symbol.type)\(isRequired), as in \(symbol.example)\n"
        text += "    \(symbol.meaning)\n"
        let others = analysis.completions(at: offset).filter { $0.kind == .key }.map(\.text)
        text += "    or \(others.joined(separator: " "))\n"
      }
    }
    Self.check(text, "editor.txt")
  }

  private static func check(_ text: String, _ name: String) {
    Snapshot.check(
      text, in: Conformance.packageRoot + "/Tests/PipelineWorkflowsTests/Golden/Language/" + name)
  }
}
