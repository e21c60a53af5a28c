internal import PipelineLanguage
internal import PipelineLint
internal import PipelinePlanning
import PipelineSourceText
import PipelineTestSupport
internal import Testing

/// Every code has an example in its explanation, and a folder `Fixtures/<code>` with files that
/// show what is said of them, to the letter.
@Suite struct LintFixtureTests {
  @Test(arguments: Explanation.all.filter { !$0.bad.isEmpty })
  func theBadExampleHasTheFindingAndNoOther(_ explanation: Explanation) {
    let found = Fixtures.lint(
      explanation.bad, explanation.recordedAnswers, explanation.description)
    #expect(Set(found.map(\.code)) == [explanation.code], "\(found.map(\.message))")
    #expect(found.contains { $0.severity == explanation.severity })
  }

  @Test(arguments: Explanation.all.filter { !$0.good.isEmpty })
  func theGoodExampleHasNoFindings(_ explanation: Explanation) {
    let found = Fixtures.lint(
      explanation.good, explanation.recordedAnswers, explanation.description)
    #expect(found == [], "\(found.map(\.message))")
  }

  @Test(arguments: Explanation.all.map(\.code))
  func fixturesSayExactlyWhatIsRecorded(_ code: String) throws {
    Fixtures.start(code)
    let names = Fixtures.files(of: code)
    #expect(names.contains("err.json") || Fixtures.withoutFixture.contains(code))
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
      #expect(explanation.what.hasSuffix("."))
      #expect(explanation.why.hasSuffix("."))
      #expect(explanation.bad.isEmpty == explanation.good.isEmpty)
    }
    let codes = Explanation.all.map(\.code)
    #expect(Set(codes).count == codes.count)
  }
}

extension Explanation: CustomTestStringConvertible {
  package var testDescription: String { code }
}
