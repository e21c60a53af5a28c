import PipelineJSONText
import PipelineRecordings
import Testing

@Suite struct JSONDifferenceTests {
  private func differences(
    _ expected: String, _ actual: String, _ scope: JSONDifference.Scope
  ) throws -> [String] {
    let (one, other) = (
      try JSONDocument.parse(Array(expected.utf8)), try JSONDocument.parse(Array(actual.utf8))
    )
    return JSONDifference.between(one.root, other.root, scope: scope).map {
      "\($0.kind) \($0.path) \($0.expected ?? "-") \($0.actual ?? "-")"
    }
  }

  @Test(arguments: [
    (#"{"a":1,"b":[1,2]}"#, #"{"b":[1.0,2],"a":1}"#, [] as [String]),
    (#"{"a":1}"#, #"{"a":2,"c":3}"#, ["value $.a 1 2", "unexpected $.c - 3"]),
    (#"{"a b":{"c":[1,"x"]}}"#, #"{"a b":{"c":[1]}}"#, [#"missing $['a b'].c[1] "x" -"#]),
    ("[1]", "[1,2]", ["unexpected $[1] - 2"]), ("1", #""1""#, [#"type $ 1 "1""#]),
  ])
  func wholeValues(_ one: String, _ other: String, _ expected: [String]) throws {
    #expect(try differences(one, other, .whole) == expected)
  }

  @Test func aPartMayHaveMore() throws {
    #expect(try differences(#"{"a":{"b":1}}"#, #"{"a":{"b":1,"c":2},"d":3}"#, .part) == [])
    #expect(try differences(#"{"a":1}"#, "{}", .part) == ["missing $.a 1 -"])
  }

  @Test func aShapeIsWhatIsThereAndOfWhichType() throws {
    #expect(try differences(#"{"a":[{"b":1},{"b":2}]}"#, #"{"a":[{"b":5}]}"#, .shape) == [])
    #expect(
      try differences(#"{"a":[{"b":1}]}"#, #"{"a":[{"b":"5"},{"b":"6"},{"c":1}]}"#, .shape) == [
        #"type $.a[*].b 1 "5""#, "unexpected $.a[*].c - 1",
      ])
  }
}
