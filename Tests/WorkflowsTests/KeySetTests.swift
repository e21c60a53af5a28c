import Testing

@testable import Workflows

@Suite struct KeySetTests {
  @Test(arguments: LanguageObject.Kind.allCases)
  func aSetHoldsAllKeysOfATable(_ kind: LanguageObject.Kind) {
    let all = kind.object.keys.indices
    let set = LanguageObject.KeySet(all)
    #expect(set.count == all.count)
    #expect(set.positions == Array(all))
    #expect(
      set.subtracting(LanguageObject.KeySet(all.dropFirst())).positions == Array(all.prefix(1)))
    #expect(
      set.intersection(LanguageObject.KeySet(all.suffix(1))).positions == Array(all.suffix(1)))
  }
}
