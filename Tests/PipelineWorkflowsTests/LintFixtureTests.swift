internal import PipelineLanguage
internal import PipelineLint
internal import PipelinePlanning
import PipelineSourceText
import PipelineTestSupport
internal import Testing

/// Every code has examples in its text. `Fixtures/<code>` has files that show more, with what is said
/// of them, to the letter.
@Suite struct LintFixtureTests {
  @Test(arguments: Explanation.all.filter { !$0.text.bad.isEmpty })
  func theBadExampleHasTheFindingAndNoOther(_ explanation: Explanation) {
    let text = explanation.text
    let found = Fixtures.lint(text.bad, text.recordedAnswers, text.description)
    #expect(Set(found.map(\.code)) == [explanation.code], "\(found.map(\.message))")
    #expect(found.contains { $0.severity == explanation.severity })
  }

  @Test(arguments: Explanation.all.filter { !$0.text.good.isEmpty })
  func theGoodExampleHasNoFindings(_ explanation: Explanation) {
    let text = explanation.text
    let found = Fixtures.lint(text.good, text.recordedAnswers, text.description)
    #expect(found == [], "\(found.map(\.message))")
  }

  @Test(arguments: Explanation.all)
  func fixturesSayExactlyWhatIsRecorded(_ explanation: Explanation) throws {
    let code = explanation.code
    let names = Fixtures.files(of: code)
    #expect(
      !explanation.text.bad.isEmpty || names.contains("err.json")
        || Fixtures.ofOtherFiles.contains(code), "nothing shows this code")
    for name in names
    where name.hasSuffix(".json") && (name.hasPrefix("err") || name.hasPrefix("ok")) {
      let path = "\(Fixtures.folder)/\(code)/\(name)"
      let bytes = try #require(readFile(path))
      let file = SourceFile(name: "\(code)/\(name)", bytes: bytes)
      let rendered = Fixtures.render(
        Linter(
          loader: FixtureLoader(), recorded: try Fixtures.recorded(for: code),
          described: try Fixtures.described(for: code), shelf: DescriptionShelf()
        ).lint(file))
      if name.hasPrefix("ok") {
        #expect(rendered == "", "\(name) has findings")
        continue
      }
      #expect(rendered.contains("[\(code)]"), "\(name) does not show \(code)")
      Snapshot.check(rendered, in: path.dropLast(5) + ".txt")
    }
  }

  @Test func everyFixtureFolderIsNamedAfterACode() {
    let codes = Set(Explanation.all.map(\.code))
    for folder in Fixtures.entries(of: Fixtures.folder) { #expect(codes.contains(folder)) }
  }

  @Test func everyExplanationIsWhole() {
    for explanation in Explanation.all {
      let text = explanation.text
      #expect(text.title == "\(explanation.code) (\(explanation.severity.rawValue))")
      #expect(text.what.hasSuffix("."))
      #expect(text.why.hasSuffix("."))
      #expect(text.bad.isEmpty == text.good.isEmpty)
    }
    let codes = Explanation.all.map(\.code)
    #expect(Set(codes).count == codes.count)
    let texts = Fixtures.entries(
      of: Conformance.packageRoot + "/Sources/PipelineLint/Explanations/Texts")
    #expect(Set(texts).symmetricDifference(codes.map { $0 + ".md" }) == [])
  }
}

extension Explanation: CustomTestStringConvertible {
  package var testDescription: String { code }
}
