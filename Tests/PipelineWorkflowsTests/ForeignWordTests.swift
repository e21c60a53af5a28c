@testable import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineTestSupport
import Testing

/// The words of other tools that keys declare.
@Suite struct ForeignWordTests {
  /// An object's advice on a word takes the place of a key's. Otherwise a word means one thing.
  @Test(arguments: LanguageObject.Kind.allCases + LanguageObject.Kind.testCases)
  func aWordMeansOneThingInAnObject(_ kind: LanguageObject.Kind) {
    let object = kind.object
    for words in [object.keys.flatMap(\.foreign), object.advice] {
      let folded = words.flatMap { $0.words.split(separator: " ") }.map {
        LanguageAliases.folded(String($0))
      }
      let twice = Dictionary(grouping: folded) { $0 }.filter { $1.count > 1 }.keys.sorted()
      #expect(twice == [], "\(kind)")
    }
  }

  /// `Words/tools.txt` is the evidence for a word. A line that is indented continues the one before.
  @Test func everyWordIsThatOfATool() throws {
    let path = Conformance.packageRoot + "/Tests/PipelineWorkflowsTests/Words/tools.txt"
    let text = String(decoding: try #require(readFile(path)), as: UTF8.self)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    let known = Set(
      lines.flatMap { line in
        line.drop { $0 != ":" && !line.hasPrefix(" ") }.split { $0 == " " || $0 == ":" }
          .map { LanguageAliases.folded(String($0)) }
      })
    let kinds = LanguageObject.Kind.allCases + LanguageObject.Kind.testCases
    let objects = kinds.map(\.object)
    let words = objects.flatMap { $0.keys.flatMap(\.foreign) + $0.advice }.flatMap {
      $0.words.split(separator: " ").map { LanguageAliases.folded(String($0)) }
    }
    #expect(Set(words).subtracting(known).sorted() == [], "no tool has these words")
    #expect(known.subtracting(words).sorted() == [], "no key has these words")
  }
}
