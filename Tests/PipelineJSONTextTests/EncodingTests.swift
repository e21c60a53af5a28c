import Foundation
import PipelineJSONText
import Testing

/// How values of an app's own types become JSON.
@Suite struct EncodingTests {
  private struct All: Codable, Equatable {
    var name = "é\n"
    var count = Int64.max
    var big = UInt64.max
    var ratio = 0.1
    var flag = true
    var absent: Int?
    var list: [Int?] = [1, nil]
    var byName = ["b": 1, "a": 2]
    var url = URL(string: "https://a.example/x?y=1")
    var date = Date(timeIntervalSince1970: 1_769_860_800.25)
    var data = Data([0, 255])
    var price = Decimal(string: "1234567890123456789.01")
    var inner: [[String: [Bool]]] = []
    var value: JSONValue = ["z": 1, "a": [JSONValue.null]]
  }

  @Test func aValueBecomesTheJSONThatItIsDecodedFrom() throws {
    let all = All()
    let value = try JSONValue(encoding: all)
    #expect(
      "\(value)"
        == #"{"name":"é\n","count":9223372036854775807,"big":18446744073709551615,"ratio":0.1,"#
        + #""flag":true,"list":[1,null],"byName":{"a":2,"b":1},"#
        + #""url":"https://a.example/x?y=1","date":"2026-01-31T12:00:00.250Z","data":"AP8=","#
        + #""price":1234567890123456789.01,"inner":[],"value":{"z":1,"a":[null]}}"#)
    #expect(try value.node.decode(All.self) == all)
  }

  @Test func datesAreWrittenInUTC() throws {
    for (time, text) in [
      (0.0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
      (951_782_400, "2000-02-29T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
      (4_107_542_399.999, "2100-02-28T23:59:59.999Z"),
    ] {
      let date = Date(timeIntervalSince1970: time)
      #expect(try JSONValue(encoding: [date]) == [.string(text)])
      #expect(try JSONValue.string(text).node.decode(Date.self) == date)
    }
  }

  @Test(arguments: [
    Double.infinity, -.infinity, .nan, 1e300, 253_402_300_800, -62_167_219_201,
  ])
  func aDateThatHasNoTextIsRefused(time: Double) {
    #expect(throws: EncodingError.self) {
      try JSONValue(encoding: Date(timeIntervalSince1970: time))
    }
  }

  @Test func whatJSONCannotWriteIsRefused() {
    #expect(throws: EncodingError.self) { try JSONValue(encoding: Decimal.nan) }
    #expect(throws: EncodingError.self) { try JSONValue(encoding: Double.infinity) }
    #expect(throws: EncodingError.self) { try JSONValue(encoding: ["a": Float.nan]) }
    #expect(throws: EncodingError.self) { try JSONValue(encoding: Nest(depth: 200)) }
  }

  private struct Nest: Encodable {
    let depth: Int

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      if depth > 0 { try container.encode(Nest(depth: depth - 1)) }
    }
  }

  private class Animal: Codable {
    var name = "Rex"
    init() {}
  }

  private final class Dog: Animal {
    var legs = 4
    private enum Keys: CodingKey { case legs }
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
      legs = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .legs)
      try super.init(from: decoder)
    }
    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(legs, forKey: .legs)
    }
  }

  @Test func aClassWritesIntoOneObject() throws {
    #expect(try JSONValue(encoding: Dog()) == ["name": "Rex", "legs": 4])
  }

  @Test func foundationsCodersTakeAJSONValue() throws {
    let value: JSONValue = ["a": [1, 2.5, "x", true, .null], "big": JSONValue(UInt64.max)]
    let data = try JSONEncoder().encode(value)
    #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
  }

  @Test func errorsShowThePlaceAndTheJSONThere() throws {
    struct Row: Decodable { let amount: Double }
    struct Rows: Decodable { let rows: [Row] }
    let value: JSONValue = ["rows": [["amount": 1], ["amount": "12 EUR"]]]
    #expect {
      try value.node.decode(Rows.self)
    } throws: { error in
      guard case .typeMismatch(_, let context)? = error as? DecodingError else { return false }
      return context.codingPath.map(\.stringValue) == ["rows", "Index 1", "amount"]
        && context.debugDescription
          == "a number is expected, but string \"12 EUR\" was found at $.rows[1].amount"
    }
    let incomplete: JSONValue = ["rows": [["amont": 1]]]
    #expect {
      try incomplete.node.decode(Rows.self)
    } throws: { error in
      guard case .keyNotFound(_, let context)? = error as? DecodingError else { return false }
      return context.debugDescription
        == "member 'amount' does not exist in {\"amont\":1} at $.rows[0]"
    }
  }
}
