import PipelineJSONText
import Testing

struct NumberTests {
  @Test(arguments: [
    ("1", "2"), ("-2", "-1"), ("-1", "0"), ("0", "0.1"), ("0.01", "0.1"), ("9", "10"),
    ("99", "1e2"),
    ("9007199254740992", "9007199254740993"), ("-9007199254740993", "-9007199254740992"),
    ("18446744073709551615", "18446744073709551616"), ("1.000000000000000000000000000001", "1.1"),
    ("0.123456789012345678901234567890", "0.123456789012345678901234567891"),
    ("1", "1.0000000000000000000000000000000000000001"), ("1e999999999", "1e1000000000"),
    ("1e-1000000000", "1e-999999999"), ("-1e999999999", "1e-999999999"), ("123", "1e999999999"),
    ("1e99999999999999999999998", "1e99999999999999999999999"),
    ("1e-99999999999999999999999", "1e-99999999999999999999998"), ("0", "1e-999999999999999999999"),
    ("-1e999999999999999999999", "0"), ("1.5", "15"), ("12", "120"), ("1.2", "1.21"), ("5e-1", "5"),
  ])
  func numbersAreOrderedByTheirExactValue(_ less: String, _ greater: String) throws {
    let less = try #require(JSONNumber(less))
    let greater = try #require(JSONNumber(greater))
    #expect(less < greater && !(greater < less) && less != greater)
  }

  @Test(arguments: [
    ["1", "1.0", "1.000", "1e0", "10e-1", "0.1e1", "100E-2", "0.0001e+4", "1e00"],
    ["0", "-0", "0.0", "0e5", "-0e999999999999", "0.000e-5"],
    ["100", "1e2", "1E2", "10e1", "100.00", "1000e-1", "0.1e3"],
    ["-12.5", "-125e-1", "-1.25e1", "-12.50"], ["1e999999999", "10e999999998", "0.1e1000000000"],
    ["1234567890123456789012345678", "1234567890123456789012345678.0"],
  ])
  func oneValueWrittenInManyWaysIsEqual(_ texts: [String]) throws {
    let numbers = try texts.map { try #require(JSONNumber($0)) }
    for left in numbers {
      for right in numbers { #expect(left == right && left.hashValue == right.hashValue) }
    }
    #expect(Set(numbers).count == 1)
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("1", 1), ("-1", -1), ("1.0", 1), ("1e2", 100), ("120e-1", 12),
      ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("0.5e1", 5),
      ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.5", nil), ("1e19", nil),
      ("1e999999999999", nil), ("1e-1", nil), ("0e99", 0),
      ("1000000000000000000.0", 1_000_000_000_000_000_000),
    ] as [(String, Int?)])
  func integersAreExactOrNone(_ text: String, _ value: Int?) throws {
    #expect(try #require(JSONNumber(text)).int == value)
  }

  @Test func integersAreToldFromFractions() {
    for text in ["1", "1.0", "1e2", "0", "0.00", "1.5e1", "1e999999999", "-120e-1"] {
      #expect(JSONNumber(text)?.isInteger == true, "\(text)")
    }
    for text in ["1.5", "1e-1", "-0.1", "15e-2", "1e-999999999"] {
      #expect(JSONNumber(text)?.isInteger == false, "\(text)")
    }
  }

  @Test func doublesAreTheNearest() {
    #expect(JSONNumber("0.1")?.double == 0.1)
    #expect(JSONNumber("1e400")?.double == .infinity)
    #expect(JSONNumber("-1e400")?.double == -.infinity)
    #expect(JSONNumber("1e-400")?.double == 0)
    #expect(JSONNumber("9007199254740993")?.double == 9_007_199_254_740_992)
  }

  @Test(arguments: ["", "-", "01", "1.", ".1", "+1", "1e", "1e+", " 1", "1 ", "0x1", "NaN", "١"])
  func whatTheGrammarRefusesIsNoNumber(_ text: String) {
    #expect(JSONNumber(text) == nil)
  }

  @Test func digitsSurviveAsWritten() throws {
    for text in ["1.50", "-0", "1E+05", "123456789012345678901234567890.10", "0.10"] {
      #expect(try JSONDocument.parse(Array("[\(text)]".utf8)).root[0]?.number?.text == text)
    }
  }

  @Test func numbersOfDocumentsAreComparedInPlace() throws {
    let document = try JSONDocument.parse(
      Array("[1, 1.0, 9007199254740993, 9007199254740992, -5, 1e999999999]".utf8))
    let indexes = document.root.elements.map(\.index)
    for left in indexes {
      for right in indexes {
        let numbers = [left, right].compactMap {
          JSONNode(document: document, index: $0).number
        }
        let order = numbers[0] < numbers[1] ? -1 : numbers[0] == numbers[1] ? 0 : 1
        #expect(document.compareNumbers(at: left, in: document, at: right) == order)
        #expect(document.compareNumber(at: left, to: numbers[1]) == order)
      }
    }
  }
}
