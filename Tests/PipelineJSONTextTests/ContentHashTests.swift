import PipelineTestSupport
import Testing

@testable import PipelineJSONText

/// Values that are equal have equal hashes; the reverse is likely, and counted here.
@Suite struct ContentHashTests {
  private func root(_ text: String) throws -> JSONNode {
    try JSONDocument.parse(Array(text.utf8), depthLimit: 1024).root
  }

  /// One value a line, in all its spellings.
  static let spellings: [[String]] = [
    ["1", "1.0", "1e0", "10e-1", "0.1e1", "100E-2"], ["0", "-0", "0.0", "0e99", "-0.00"],
    ["-7", "-7.0", "-70e-1"], ["9007199254740993", "9007199254740993.0"], ["9007199254740992"],
    ["123456789012345678", "1234567890123456780e-1"],
    ["9223372036854775808", "9223372036854775808.0"],
    ["123456789012345678901234567890.5", "1234567890123456789012345678905e-1"],
    ["123456789012345678901234567890.6"], ["1e400", "10e399"], ["1e-400", "0.1e-399"],
    ["1e99999999999999999999"], ["1e-99999999999999999999"],
    ["\"1\""], ["\"\""], ["\"ab\"", #""\u0061b""#, #""a\u0062""#], ["\"\u{E9}\"", #""\u00e9""#],
    ["\"e\u{301}\"", #""e\u0301""#], ["\"𝄞\"", #""\ud834\udd1e""#], ["null"], ["true"], ["false"],
    ["[]"], ["{}"], ["[[]]"], ["[1,2]", "[1.0, 2e0]"], ["[2,1]"], ["[12]"], ["[\"ab\"]"],
    ["[\"a\",\"b\"]"], [#"{"a":1,"b":2}"#, #"{"b":2.0,"a":1}"#, #"{"\u0061":1,"b":2,"a":3}"#],
    [#"{"a":2,"b":1}"#], [#"{"a":1}"#, #"{"a":1,"a":2}"#, #"{"a":1,"a":3}"#],
    [#"{"a":{"b":1,"c":[1]},"d":0}"#, #"{"d":0,"a":{"c":[1.0],"b":1}}"#],
  ]

  @Test func equalValuesHaveEqualHashesHoweverTheyAreWritten() throws {
    let values = try Self.spellings.map { try $0.map(root) }
    for (number, group) in values.enumerated() {
      for (other, others) in values.enumerated() {
        for left in group {
          for right in others {
            #expect(left.isEqual(to: right) == (number == other), "\(left.text) \(right.text)")
            #expect((left.contentHash == right.contentHash) == (number == other))
          }
        }
      }
    }
    #expect(JSONDocument.contentHash(of: 1) == (try root("1e0")).contentHash)
  }

  @Test func largeObjectsAreEqualInAnyOrder() throws {
    var generator = SeededGenerator(seed: 7)
    let members = (0..<500).map { #""n\#($0)":\#($0)"# }
    let one = try root("{\(members.joined(separator: ","))}")
    let other = try root("{\(members.shuffled(using: &generator).joined(separator: ","))}")
    #expect(one.isEqual(to: other))
    #expect(one.contentHash == other.contentHash)
  }

  /// A member that was compared is not compared again, or each level would double the cost.
  @Test func objectsInAnotherOrderAreComparedOnceAtEachDepth() throws {
    var (left, right) = ("1", "1.0")
    for _ in 0..<200 {
      left = #"{"a":\#(left),"b":1,"c":2}"#
      right = #"{"a":\#(right),"c":2,"b":1}"#
    }
    #expect(try root(left).isEqual(to: root(right)))
    #expect(try root(left).contentHash == root(right).contentHash)
  }
}
