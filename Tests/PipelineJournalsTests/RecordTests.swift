import PipelineJSONText
import Testing

@testable import PipelineJournals

/// The values of which entries are made.
@Suite struct RecordTests {
  @Test func aUnitIsNamedByItsStepAndItsItems() {
    #expect(UnitKey(step: "create", place: [], digest: nil).name == "create")
    #expect(UnitKey(step: "order.line", place: [3, 0], digest: nil).name == "order.line[3][0]")
  }

  @Test func unitsOfOtherPlacesHaveOtherNumbers() {
    var hashes: Set<UInt64> = []
    for step in ["a", "b", "a.b"] {
      for place in [[], [0], [1], [0, 0], [0, 1], [1, 0]] {
        hashes.insert(UnitKey(step: step, place: place, digest: nil).placeHash)
      }
    }
    #expect(hashes.count == 18)
  }

  @Test func aFingerprintIsReadFromItsBytes() {
    let fingerprint = Fingerprint(high: 0x0102_0304_0506_0708, low: .max - 1)
    #expect(fingerprint.bytes.count == 16 && fingerprint.bytes.prefix(3) == [1, 2, 3])
    #expect(Fingerprint(bytes: fingerprint.bytes) == fingerprint)
    #expect(Fingerprint(bytes: fingerprint.bytes.dropLast()) == nil)
  }

  @Test func aQuestionIsWrittenWithWhatItWants() {
    let question = RunQuestion(
      step: "each.confirm", path: [3], text: "Delete?",
      answers: [
        RunQuestion.Answer(name: "answer", type: "boolean", defaultValue: false),
        RunQuestion.Answer(name: "code", isOptional: true, isSecret: true),
      ], askedAt: 1.5, expiresAt: 60)
    var writer = JSONWriter(style: .compact)
    writer.object { RunQuestion.write([question], to: &$0) }
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"questions":[{"name":"each.confirm[3]","step":"each.confirm","path":[3],"#
        + #""text":"Delete?","answers":[{"name":"answer","type":"boolean","default":false},"#
        + #"{"name":"code","optional":true,"secret":true}],"askedAt":1.5,"expiresAt":60}]}"#)
  }

  @Test func textsThatFailuresShareAreHeldOnce() {
    let first = FailureReason(.status, "answered 500", status: 500, excerpt: "down")
    let second = FailureReason(.status, "answered 500", status: 500, excerpt: "gone")
    #expect(second.sharing(with: first).textSize == 4)
    #expect(second.sharing(with: nil).textSize == 16)
    #expect(second.sharing(with: first).0.excerpt == "gone")
  }
}
