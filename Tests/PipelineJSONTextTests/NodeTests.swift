import PipelineJSONText
import Testing

struct NodeTests {
  private func root(_ text: String) throws -> JSONNode {
    try JSONDocument.parse(Array(text.utf8)).root
  }

  @Test func everyKindIsTold() throws {
    let kinds = try root(#"[{}, [], "s", 1, true, false, null]"#).elements.map(\.kind)
    #expect(kinds == [.object, .array, .string, .number, .boolean, .boolean, .null])
  }

  @Test func accessorsAnswerForTheirKindOnly() throws {
    let root = try root(#"{"s": "a\nb", "n": 1.50, "t": true, "z": null, "l": [1, 2]}"#)
    #expect(root["s"]?.string == "a\nb" && root["s"]?.number == nil)
    #expect(root["n"]?.number?.text == "1.50" && root["n"]?.string == nil)
    #expect(root["t"]?.boolean == true && root["t"]?.isNull == false)
    #expect(root["z"]?.isNull == true && root["z"]?.boolean == nil)
    #expect(root["l"]?.count == 2 && root["l"]?[1]?.number?.int == 2)
    #expect(root["l"]?[2] == nil && root["l"]?[-1] == nil && root["l"]?["a"] == nil)
    #expect(root["x"] == nil && root[0] == nil && root.count == 5 && root["s"]?.count == 0)
    #expect(root.elements.map(\.text) == [])
    #expect(root.members.map(\.name) == ["s", "n", "t", "z", "l"])
  }

  @Test func rangesCoverTheTextAsWritten() throws {
    let text = #" { "a" : [ 1 , "x\"" ] , "b":{ } } "#
    let root = try root(text)
    #expect(root.text == #"{ "a" : [ 1 , "x\"" ] , "b":{ } }"#)
    #expect(root["a"]?.text == #"[ 1 , "x\"" ]"#)
    #expect(root["a"]?[1]?.text == #""x\"""#)
    #expect(root["b"]?.text == "{ }")
    #expect(root.members.map { root.document.bytes[$0.nameRange].count } == [3, 3])
  }

  @Test func theFirstOfTwoEqualNamesIsFound() throws {
    let root = try root(#"{"a": 1, "\u0061": 2, "b": 3}"#)
    #expect(root["a"]?.text == "1")
    #expect(root.members.map(\.value.text) == ["1", "2", "3"])
  }

  @Test func namesAreComparedDecoded() throws {
    let root = try root(#"{"\u00e9": 1, "a\/b": 2, "𝄞": 3, "e\u0301": 4}"#)
    #expect(root["é"]?.text == "1")
    #expect(root["a/b"]?.text == "2")
    #expect(root["\u{1D11E}"]?.text == "3")
    #expect(root["e\u{301}"]?.text == "4")
  }

  @Test(arguments: [
    ("1", "1.0", true), ("100", "1e2", true), ("0", "-0", true), ("0.1", "1e-1", true),
    ("9007199254740993", "9007199254740992", false), ("1", "\"1\"", false), ("1", "2", false),
    (#""a""#, #""\u0061""#, true), (#""𝄞""#, #""\ud834\udd1e""#, true), ("true", "true", true),
    ("true", "false", false), ("null", "null", true), ("null", "false", false),
    ("[1,2]", "[1.0,2e0]", true), ("[1,2]", "[2,1]", false), ("[1]", "[1,1]", false),
    ("[]", "{}", false), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, true),
    (#"{"a":1,"b":2}"#, #"{"a":1}"#, false), (#"{"a":1}"#, #"{"b":1}"#, false),
    (#"{"a":{"b":[1,{}]}}"#, #"{"a":{"b":[1,{}]}}"#, true), (#"{"a":1,"a":2}"#, #"{"a":1}"#, true),
    ("[[],[]]", "[[]]", false), ("[[1],2]", "[[1],2]", true),
  ])
  func equalityIsThatOfJSONPath(_ left: String, _ right: String, _ isEqual: Bool) throws {
    #expect(try root(left).isEqual(to: root(right)) == isEqual)
    #expect(try root(right).isEqual(to: root(left)) == isEqual)
  }

  @Test func decodedOffsetsLeadBackThroughEscapes() throws {
    let node = try root(#""ab\n\u00e9\ud834\udd1e""#)
    #expect(node.string == "ab\né𝄞")
    #expect(node.sourceRange(ofDecoded: 0..<2) == 1..<3)
    #expect(node.sourceRange(ofDecoded: 2..<3) == 3..<5)
    #expect(node.sourceRange(ofDecoded: 3..<5) == 5..<11)
    #expect(node.sourceRange(ofDecoded: 5..<9) == 11..<23)
    #expect(node.sourceRange(ofDecoded: 6..<7) == 11..<23)
    #expect(node.sourceRange(ofDecoded: 9..<9) == 23..<23)
    #expect(node.sourceRange(ofDecoded: 3..<3) == 5..<5)
    #expect(node.sourceRange(ofDecoded: 0..<99) == 1..<23)
    #expect(try root("\"abc\"").sourceRange(ofDecoded: 1..<2) == 2..<3)
    #expect(try root("\"abc\"").sourceRange(ofDecoded: 9..<12) == 4..<4)
    #expect(try root("12").sourceRange(ofDecoded: 0..<1) == 0..<2)
  }

  @Test func aDetachedValueHoldsOnlyItself() throws {
    let root = try root(#" {"a": [1, {"b": "x\ty"}, [], 2.50], "c": "s", "d": 1, "e": null}"#)
    for member in root.members {
      let copy = member.value.detached()
      #expect(copy.text == member.value.text)
      #expect(copy.document.bytes.count == member.value.range.count)
      #expect(try copy.document.tape == JSONDocument.parse(copy.document.bytes).tape)
      #expect(copy.isEqual(to: member.value))
    }
    #expect(root["a"]?.detached()[1]?["b"]?.detached().string == "x\ty")
  }

  @Test func theTapeIsWalkedBothWays() throws {
    let root = try root(#"[1, [2, 3], {"a": 4, "b": [5]}, "x"]"#)
    let document = root.document
    for position in -5...5 {
      let expected = Array(root.elements)
      let index = position < 0 ? expected.count + position : position
      let found = document.element(atPosition: position, in: root.index)
      #expect(found == (expected.indices.contains(index) ? expected[index].index : nil))
    }
    let object = try #require(root[2])
    let last = try #require(document.lastChild(of: object.index))
    #expect(JSONNode(document: document, index: last).text == "[5]")
    let before = try #require(document.previousChild(before: last, in: object.index))
    #expect(JSONNode(document: document, index: before).text == "4")
    #expect(document.previousChild(before: before, in: object.index) == nil)
    #expect(document.lastChild(of: before) == nil)
  }
}
