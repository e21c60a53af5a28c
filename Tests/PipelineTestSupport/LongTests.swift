/// Tests that search at random take a few cases by default, and many with `LONG_TESTS=1`.
package enum LongTests {
  package static let areWanted = Tool.variable("LONG_TESTS") != nil

  /// The number of cases to take.
  package static func count(_ usual: Int, long: Int) -> Int { areWanted ? long : usual }

  /// Every case with `LONG_TESTS=1`. Otherwise every `step`th, from a place that `part` moves, so
  /// that `step` consecutive parts take each case once.
  package static func share<Case>(_ cases: [Case], step: Int, part: Int) -> [Case] {
    if areWanted { return cases }
    return cases.indices.filter { ($0 + part) % step == 0 }.map { cases[$0] }
  }
}
