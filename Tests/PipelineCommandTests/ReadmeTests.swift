import PipelineJSONText
import PipelineTestSupport
import Testing

/// The README says what is so.
@Suite struct ReadmeTests {
  private let readme = String(
    decoding: readFile(Conformance.packageRoot + "/README.md") ?? [], as: UTF8.self)

  @Test func theWorkflowShownIsTheOneInTheRepository() throws {
    let shown = try #require(
      readme.split(separator: "```json\n").last?.split(separator: "```\n").first)
    let file = try #require(readFile(Conformance.packageRoot + "/workflows/users.json"))
    #expect(shown == String(decoding: file, as: UTF8.self))
  }

  @Test func everyDocumentThatItNamesIsThere() {
    let links = readme.split(separator: "](").dropFirst().compactMap {
      $0.split(separator: ")").first
    }
    for link in links.map({ $0.prefix { $0 != "#" } })
    where !link.hasPrefix("https:") && !link.hasSuffix("decisions") {
      #expect(readFile(Conformance.packageRoot + "/" + link) != nil, "\(link)")
    }
    #expect(links.count > 6)
  }

  @Test func theNewestVersionOfTheChangelogIsTheProgramsOwn() async throws {
    let changelog = String(
      decoding: try #require(readFile(Conformance.packageRoot + "/CHANGELOG.md")), as: UTF8.self)
    let heading = try #require(
      changelog.split(separator: "\n").first { $0.hasPrefix("## [") && $0.contains(" - ") })
    let version = try #require(heading.dropFirst("## [".count).split(separator: "]").first)
    #expect(await pipeline(["--version"]).output == "pipeline \(version)\n")
  }
}
