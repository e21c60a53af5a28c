import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineTestSupport
import Testing

@testable import PipelineEngine
@testable import PipelineTesting

/// Rows of a collection, held in pieces.
struct RowsTests {
  /// Rows of different lengths, one of them longer than a piece, given in another order.
  private func rows(_ count: Int, seed: UInt64) -> (rows: Rows, texts: [String]) {
    var generator = SeededGenerator(seed: seed)
    let texts = (0..<count).map { number in
      let length = number == count / 2 ? 100_000 : Int.random(in: 0..<600, using: &generator)
      return number % 7 == 3
        ? "null" : "{\"n\":\(number),\"text\":\"\(String(repeating: "é", count: length))\"}"
    }
    var store = RowStore()
    var order = Array(0..<count)
    for start in stride(from: 0, to: count, by: 100) {
      order[start..<min(start + 100, count)].shuffle(using: &generator)
    }
    for number in order {
      store.set(texts[number] == "null" ? nil : Array(texts[number].utf8), at: number)
    }
    return (Rows(store.finish(count: count), count: count), texts)
  }

  @Test(arguments: 1...4)
  func everyRowIsFoundAtItsPosition(_ seed: UInt64) throws {
    let (rows, texts) = rows(1500, seed: seed)
    #expect(Array(rows.lists).count > 3)
    #expect(rows.lists.flatMap { $0.elements.map(\.text) } == texts)
    // Before and after all rows have become one document.
    for _ in 0..<2 {
      for position in texts.indices {
        #expect(rows.row(at: position)?.text == texts[position])
        #expect(rows.row(at: position - texts.count)?.text == texts[position])
      }
      #expect(rows.row(at: texts.count) == nil && rows.row(at: -texts.count - 1) == nil)
      var writer = JSONWriter()
      rows.write(to: &writer)
      #expect(String(decoding: writer.bytes, as: UTF8.self) == "[\(texts.joined(separator: ","))]")
      #expect(rows.node.elements.map(\.text) == texts)
    }
    #expect(rows.lists.flatMap { $0.elements.map(\.text) } == texts)
  }

  @Test func itemsThatNeverCameAreNull() {
    var store = RowStore()
    store.set(Array("1".utf8), at: 1)
    let value = ScopeValue(rows: store.finish(count: 3), count: 3)
    #expect(value.node.text == "[null,1,null]")
    #expect(ScopeValue(rows: RowStore().finish(count: 0), count: 0).node.text == "[]")
  }

  // MARK: Rows of a run

  /// More rows than one piece holds.
  private let each =
    #"{"id": "each", "forEach": {"from": 1, "to": 10000}, "values": {"n": "{{item}}"}}"#

  private func outputs(
    _ steps: String, _ outputs: String, inputs: String = "{}"
  ) async throws -> Outputs {
    let pipeline = try Pipeline(
      #"{"inputs": \#(inputs), "steps": [\#(steps)], "outputs": \#(outputs)}"#,
      transport: ScriptedTransport([:]))
    let result = try await pipeline.run().result
    #expect(result.status == .succeeded, "\(result.report.failures)")
    return result.outputs
  }

  @Test func aQueryReadsThemAsItReadsAnyList() async throws {
    let outputs = try await outputs(
      each,
      #"""
      {"first": "{{each[0].n}}", "last": "{{each[-1].n}}", "none": "{{each[10000].n}}",
       "some": "$.each[4999:5002].n", "count": "$.each[?@.n > 9998].n", "all": "{{each}}"}
      """#)
    #expect(outputs["first"]?.text == "1" && outputs["last"]?.text == "10000")
    #expect(outputs["none"] == nil)
    #expect(outputs["some"]?.text == "[5000,5001,5002]")
    #expect(outputs["count"]?.text == "[9999,10000]")
    #expect(outputs["all"]?.count == 10_000)
    #expect(outputs["all"]?[7654]?.text == #"{"n":7655}"#)
  }

  @Test func theyAreItemsOfAnotherCollection() async throws {
    let next =
      #"{"id": "next", "forEach": "$.each", "as": "row", "values": {"n": "{{row.n}}"}}"#
    let pairs =
      #"{"id": "pair", "forEach": "$.each", "batch": 3, "as": "rows", "values": {"n": "{{rows[1].n}}"}}"#
    let outputs = try await outputs(
      [each, next, pairs].joined(separator: ","), #"{"next": "{{next}}", "pair": "{{pair}}"}"#)
    #expect(outputs["next"]?.elements.map(\.text) == (1...10_000).map { #"{"n":\#($0)}"# })
    #expect(outputs["pair"]?.count == 3334)
    #expect(outputs["pair"]?[3332]?.text == #"{"n":9998}"#)
    #expect(outputs["pair"]?[3333]?.text == "{}")
  }

  @Test func aSecretIsHiddenInEachOfThem() async throws {
    let inputs = #"{"key": {"type": "string", "secret": true, "default": "correct-horse"}}"#
    let step =
      #"{"id": "each", "forEach": {"from": 1, "to": 5000}, "values": {"n": "{{item}}", "k": "{{inputs.key}}"}}"#
    let outputs = try await outputs(
      step,
      #"{"rows": "{{each}}", "whole": {"value": "{{each}}", "reveal": true}, "n": "{{each[0].n}}"}"#,
      inputs: inputs)
    for row in try #require(outputs["rows"]).elements { #expect(row["k"]?.string == Redactor.mask) }
    for row in try #require(outputs["whole"]).elements {
      #expect(row["k"]?.string == "correct-horse")
    }
  }

  @Test func aSecretThatAppearsByChanceIsHiddenInEachOfThem() async throws {
    // Not by what the workflow says, but by how it looks: 12345 and its neighbours hold the input.
    let inputs = #"{"key": {"type": "string", "secret": true, "default": "x-1234"}}"#
    let step =
      #"{"id": "each", "forEach": {"from": 1, "to": 5000}, "values": {"t": "ax-{{item}}z"}}"#
    let outputs = try await outputs(
      step, #"{"rows": "{{each}}", "last": "{{each[4999].t}}"}"#, inputs: inputs)
    let texts = try #require(outputs["rows"]).elements.compactMap { $0["t"]?.string }
    #expect(texts == (1...5000).map { $0 == 1234 ? "a•••z" : "ax-\($0)z" })
  }
}
