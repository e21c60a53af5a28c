import PipelineJSONText
import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import PipelineTestSupport
import Testing

@Suite struct DocumentationTests {
  @Test func theListOfCodesIsMadeFromTheirTexts() {
    Snapshot.check(LintReference.index, in: Conformance.packageRoot + "/docs/lint.md")
    let pages = Fixtures.entries(of: Conformance.packageRoot + "/docs/lint")
    #expect(Set(pages).symmetricDifference(Explanation.all.map { $0.code + ".md" }) == [])
  }

  @Test(arguments: Explanation.all)
  func thePageOfACodeIsMadeFromItsText(_ explanation: Explanation) {
    Snapshot.check(
      LintReference.page(of: explanation),
      in: Conformance.packageRoot + "/docs/lint/\(explanation.code).md")
  }

  @Test func theReferenceAndTheListsOfKeysAreMadeFromTheLanguage() throws {
    let path = Conformance.packageRoot + "/docs/language.md"
    Snapshot.check(
      LanguageReference.page, in: Conformance.packageRoot + "/docs/reference.md")
    let page = String(decoding: try #require(readFile(path)), as: UTF8.self)
    Snapshot.check(LanguageReference.refreshed(page), in: path)
    #expect(page.contains("<!-- keys: forms -->"))
    for kind in LanguageObject.Kind.allCases where kind != .base && kind != .branch {
      #expect(page.contains("<!-- keys: \(kind.rawValue) -->"), "no keys of \(kind)")
    }
  }

  @Test func thePagesOfTheWholeLanguageAreMadeFromIt() {
    Snapshot.check(LanguageGuide.page, in: Conformance.packageRoot + "/docs/llms.txt")
    Snapshot.check(LanguageGuide.crib, in: Conformance.packageRoot + "/docs/crib.txt")
  }

  @Test func theTablesOfTheTestingPageAreMadeFromTheLanguage() throws {
    let path = Conformance.packageRoot + "/docs/testing.md"
    let page = String(decoding: try #require(readFile(path)), as: UTF8.self)
    Snapshot.check(LanguageReference.refreshed(page), in: path)
    for kind in LanguageObject.Kind.testCases where kind != .lint {
      #expect(page.contains("<!-- table: \(kind.rawValue) -->"), "no table of \(kind)")
    }
  }

  @Test(arguments: ["language.md", "lint.md"])
  func everyExampleOfAPageIsSound(_ name: String) throws {
    let page = try #require(readFile(Conformance.packageRoot + "/docs/" + name))
    let blocks = Self.jsonBlocks(of: String(decoding: page, as: UTF8.self))
    #expect(!blocks.isEmpty)
    for block in blocks {
      let document = try JSONDocument.parse(Array(block.utf8))
      if document.root["steps"] != nil, document.root["id"] == nil {
        #expect(Fixtures.lint(block) == [], "\(block)")
      } else if document.root["id"] != nil {
        #expect(Self.decode("{\"steps\": [\(block)]}") == [], "\(block)")
      }
    }
  }

  @Test(arguments: LanguageObject.Kind.allCases)
  func everyExampleOfAKeyIsAccepted(_ kind: LanguageObject.Kind) {
    for key in kind.object.keys {
      let file = KeyExamples.file(with: key, of: kind)
      #expect(Self.decode(file) == [], "\(key.name) of \(kind): \(file)")
    }
  }

  @Test(arguments: LanguageObject.Kind.allCases)
  func everyKeyRefusesWhatItIsNot(_ kind: LanguageObject.Kind) {
    for key in kind.object.keys where !key.type.takesAnything {
      let wrong = key.type.words.contains("names →") ? "7" : "{\"no-such-key\": [7]}"
      let file = KeyExamples.file(with: key, of: kind, value: wrong)
      #expect(!Self.decode(file).isEmpty, "\(key.name) of \(kind): \(file)")
    }
  }

  private static func decode(_ text: String) -> [String] {
    let file = SourceFile(name: "example.json", bytes: Array(text.utf8))
    return Workflow.decode(file, loader: EmptyFiles()).diagnostics
      .filter { $0.severity == .error }.map(\.message)
  }

  private static func jsonBlocks(of page: String) -> [String] {
    page.components(between: "```json\n", and: "\n```")
  }
}

extension String {
  fileprivate func components(between start: String, and end: String) -> [String] {
    var found: [String] = []
    var rest = self[...]
    while let opening = rest.firstRange(of: start) {
      rest = rest[opening.upperBound...]
      guard let closing = rest.firstRange(of: end) else { break }
      found.append(String(rest[..<closing.lowerBound]))
      rest = rest[closing.upperBound...]
    }
    return found
  }
}

extension LanguageType {
  fileprivate var takesAnything: Bool {
    switch self {
    case .data, .json, .schema: true
    case .either(let types): types.contains(where: \.takesAnything)
    default: false
    }
  }
}
