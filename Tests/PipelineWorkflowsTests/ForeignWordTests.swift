@testable import PipelineLanguage
import PipelineLint
import PipelinePlanning
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
}
