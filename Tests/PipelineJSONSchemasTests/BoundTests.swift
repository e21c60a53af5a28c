import PipelineJSONSchemas
import PipelineJSONText
import Testing

/// Numbers are exact, and no value costs more than its size allows.
struct BoundTests {
  @Test(arguments: [
    ("0.0001", "0.0075", true), ("0.0001", "0.00751", false), ("0.1", "123456789012345678.3", true),
    ("3", "1e999999999999999999999", false), ("8", "1e400", true), ("0.3", "0.9", true),
    ("1e-8", "12391239123", true), ("0.123456789", "1e308", false), ("7", "0", true),
    ("2.50", "-7.5", true), ("1e2", "150", false),
    ("999999999999999999", "-999999999999999999e5", true),
  ])
  func multiplesAreExact(_ divisor: String, _ number: String, _ expected: Bool) throws {
    let schema = try schema("{\"multipleOf\": \(divisor)}")
    #expect(schema.validate(try node(number)).isEmpty == expected)
  }

  @Test func boundsAreExact() throws {
    let schema = try schema(#"{"maximum": 9007199254740993, "minimum": 0.1}"#)
    #expect(schema.validate(try node("9007199254740993")).isEmpty)
    #expect(!schema.validate(try node("9007199254740993.0000000000000001")).isEmpty)
    #expect(!schema.validate(try node("0.09999999999999999999999999")).isEmpty)
  }

  /// Both branches go into the same member: without remembering it would take 2^200 steps.
  @Test func branchesThatShareAWayAreNotMultiplied() throws {
    let text = ##"""
      {"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [
        {"properties": {"next": {"$ref": "#/$defs/n"}, "kind": {"const": "a"}}, "required": ["kind"]},
        {"properties": {"next": {"$ref": "#/$defs/n"}, "kind": {"const": "b"}}, "required": ["kind"]}]}}}
      """##
    let schema = try schema(text)
    func chain(_ last: String) -> String {
      String(repeating: #"{"next": "#, count: 200) + last
        + String(repeating: #", "kind": "b"}"#, count: 200)
    }
    #expect(schema.validate(try node(chain(#"{"kind": "a"}"#))).isEmpty)
    #expect(schema.validate(try node(chain(#"{"kind": "c"}"#))).count == 1)
  }

  #if !canImport(Darwin)  // whose threads have less room
    @Test func aValueAtTheDepthLimitIsChecked() throws {
      let schema = try schema(
        ##"{"type": ["array", "null"], "items": {"allOf": [{"$ref": "#"}, {"minimum": 0}]}}"##)
      let text = String(repeating: "[", count: 511) + "1" + String(repeating: "]", count: 511)
      let bad = try JSONDocument.parse(Array(text.utf8)).root
      #expect(schema.validate(bad).count == 1)
      let good = try node(text.replacing("1", with: "null"))
      #expect(schema.validate(good).isEmpty)
    }

  #endif

  /// Each `$ref` of this chain stands beside another keyword and so is a schema of its own.
  @Test func aChainOfReferencesThatIsTooLongIsToldAndNeverValid() throws {
    let links = (0..<1500).map {
      "\"d\($0)\": {\"minimum\": 0, \"$ref\": \"#/$defs/d\($0 + 1)\"}"
    }
    let text =
      ##"{"not": {"$ref": "#/$defs/d0"}, "$defs": {"## + links.joined(separator: ",")
      + ##", "d1500": {"type": "integer"}}}"##
    let found = try messages(text, "1")
    #expect(found == ["'$' nests too deep to be checked"])
  }

  @Test func manyItemsAreComparedByTheirHashes() throws {
    let schema = try schema(#"{"uniqueItems": true}"#)
    var items = (0..<20_000).map { "{\"id\": \($0), \"tags\": [\"a\", \($0 % 7)]}" }
    #expect(schema.validate(try node("[" + items.joined(separator: ",") + "]")).isEmpty)
    items.append(#"{"tags": ["a", 0e3], "id": 0.0}"#)
    #expect(!schema.validate(try node("[" + items.joined(separator: ",") + "]")).isEmpty)
  }

  @Test func manyNamesAndValuesAreLookedUp() throws {
    let names = (0..<300).map {
      "\"name\($0)\": {\"enum\": [\((0..<50).map(String.init).joined(separator: ","))]}"
    }
    let schema = try schema(
      "{\"properties\": {\(names.joined(separator: ","))}, \"additionalProperties\": false}")
    #expect(schema.validate(try node(#"{"name0": 49, "\u006eame299": 4.9e1}"#)).isEmpty)
    #expect(!schema.validate(try node(#"{"name7": 50}"#)).isEmpty)
    #expect(!schema.validate(try node(#"{"name300": 1}"#)).isEmpty)
  }

  @Test(arguments: [
    ("integer", "1.0", true), ("integer", "1e2", true), ("integer", "1.5", false),
    ("integer", "123456789012345678901234567890", true), ("number", "1", true),
  ])
  func anIntegerHasNoFraction(_ type: String, _ number: String, _ expected: Bool) throws {
    #expect(try schema("{\"type\": \"\(type)\"}").validate(try node(number)).isEmpty == expected)
  }
}
