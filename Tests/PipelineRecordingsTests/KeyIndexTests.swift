import PipelineTestSupport
import Testing

@testable import PipelineRecordings

@Suite struct KeyIndexTests {
  /// Keys of few steps and small numbers, so that many are alike, and a few at the ends of what a
  /// file can hold.
  private func keys(_ count: Int, seed: UInt64) -> [RecordingKey] {
    var random = SeededGenerator(seed: seed)
    let numbers = [0, 1, 2, 255, 256, 65_535, 65_536, Int.max]
    return (0..<count).map { _ in
      func number() -> Int { numbers.randomElement(using: &random) ?? 0 }
      return RecordingKey(
        step: ["", "a", "a.b", "b", "é", "e\u{301}"].randomElement(using: &random) ?? "",
        path: (0..<Int.random(in: 0...2, using: &random)).map { _ in number() },
        item: Bool.random(using: &random) ? nil : Int.random(in: 0...300, using: &random),
        page: number(), poll: Int.random(in: 0...1, using: &random),
        attempt: Int.random(in: 1...2, using: &random),
        redirect: Int.random(in: 0...1, using: &random))
    }
  }

  @Test(arguments: 1...4) func keysComeBackInOrder(_ seed: UInt64) {
    let keys = keys(2_000, seed: seed)
    var index = KeyIndex()
    for (number, key) in keys.enumerated() {
      index.add(key, at: Recording.Place(offset: number, length: number + 7))
    }
    index.sort()
    #expect((0..<index.count).map(index.key) == keys.sorted())
    for number in 0..<index.count {
      let place = index.place(at: number)
      #expect(keys[place.offset] == index.key(at: number) && place.length == place.offset + 7)
    }
  }

  @Test func equalKeysHaveAllTheirPlacesInOrder() {
    let keys = keys(3_000, seed: 9).map {
      RecordingKey(step: $0.step, item: $0.item.map { $0 % 5 }, page: $0.page % 3)
    }
    var index = KeyIndex()
    for (number, key) in keys.enumerated() {
      index.add(key, at: Recording.Place(offset: number, length: 1))
    }
    index.sort()
    for key in Set(keys) {
      #expect(index.places(for: key).map(\.offset) == keys.indices.filter { keys[$0] == key })
    }
    #expect(index.places(for: RecordingKey(step: "none")).isEmpty)
    #expect(index.places(for: RecordingKey(step: "a", page: 77)).isEmpty)
  }

  @Test(arguments: 1...4) func theNearestKeyIsOfTheSameItemOrStep(_ seed: UInt64) {
    let keys = keys(1_000, seed: seed).map {
      RecordingKey(step: $0.step, path: Array($0.path.prefix(1)), item: $0.item, page: $0.page)
    }
    var index = KeyIndex()
    let known = keys.prefix(300).filter { $0.step != "b" }
    for key in known { index.add(key, at: Recording.Place(offset: 0, length: 1)) }
    index.sort()
    let sorted = known.sorted()
    for key in keys {
      let own = sorted.filter { Array($0.step.utf8) == Array(key.step.utf8) }
      let expected = own.first { $0.path == key.path && $0.item == key.item } ?? own.first
      #expect(index.nearest(to: key) == expected, "\(key)")
    }
    #expect(KeyIndex().nearest(to: keys[0]) == nil)
  }

  /// To read all keys for each miss would take many minutes.
  @Test(.timeLimit(.minutes(5))) func theNearestOfManyKeysIsFoundAtOnce() {
    var index = KeyIndex()
    for item in 0..<50_000 {
      index.add(
        RecordingKey(step: "a", item: item), at: Recording.Place(offset: item, length: 1))
    }
    index.sort()
    for item in 48_000..<52_000 {
      let near = index.nearest(to: RecordingKey(step: "a", item: item, page: 1))
      #expect(near?.item == (item < 50_000 ? item : 0))
    }
  }

  @Test func aKeyWithNumbersThatNoRunHasIsFound() {
    let keys = [
      RecordingKey(step: "a", path: [-1, Int.min], item: Int.max, page: -7, attempt: Int.min),
      RecordingKey(step: "a", path: [Int.max], item: Int.min, poll: -1),
      RecordingKey(step: "a", item: -1), RecordingKey(step: "a", item: 0),
    ]
    var index = KeyIndex()
    for (number, key) in keys.enumerated() {
      index.add(key, at: Recording.Place(offset: number, length: 1))
    }
    index.sort()
    for (number, key) in keys.enumerated() {
      #expect(index.places(for: key).map(\.offset) == [number])
    }
    #expect(Set((0..<index.count).map(index.key)) == Set(keys))
  }
}
