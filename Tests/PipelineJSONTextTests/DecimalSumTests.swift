import Testing

@testable import PipelineJSONText

struct DecimalSumTests {
  private static func sum(_ numbers: String) throws -> String? {
    DecimalSum.text(
      of: Array(try JSONDocument.parse(Array("[\(numbers)]".utf8)).root.elements))
  }

  @Test(arguments: [
    ("", "0"), ("7", "7"), ("1.50", "1.50"), ("1E400", "1E400"), ("-0", "-0"),
    ("1, 2", "3"), ("0.1, 0.2", "0.3"), ("20.00, 0.5", "20.50"), ("1.5, -1.5", "0.0"),
    ("5, -7", "-2"), ("-0.1, 0.05", "-0.05"), ("99, 1", "100"), ("-99, -1", "-100"),
    ("0.1, -100", "-99.9"), ("1e3, 2e3", "3000"), ("1e3, 1", "1001"), ("1e400, 2e400", "3e400"),
    ("1e-400, 1e-400", "2e-400"), ("0.00, 1", "1.00"), ("0, 0e99999999999", "0"),
    ("0, -0.0", "0.0"), ("1, -1", "0"), ("1e50, -1e50", "0"),
    ("9007199254740993, 1", "9007199254740994"),
    (
      "123456789012345678901234567890.123456789, 0.000000001",
      "123456789012345678901234567890.123456790"
    ),
    ("1e2, 0.5e1, 5E-1", "105.5"),
  ])
  func sumsAreExact(numbers: String, text: String) throws {
    #expect(try Self.sum(numbers) == text)
  }

  @Test func aSumThatWouldBeTooLongIsNotWorkedOut() throws {
    #expect(try Self.sum("1e9999, 1")?.utf8.count == 10_000)
    #expect(try Self.sum("1e10000, 1") == nil)
    #expect(try Self.sum("1e999999999999999999999, 1") == nil)
    #expect(try Self.sum("1e-999999999999999999999, 1") == nil)
    #expect(try Self.sum("1e999999999999999999999, -1e999999999999999999999") == nil)
  }

  @Test func ofManyNumbersEachDigitCounts() throws {
    #expect(
      try Self.sum(Array(repeating: "0.01", count: 100_000).joined(separator: ",")) == "1000.00")
    #expect(try Self.sum(Array(repeating: "-9", count: 99_999).joined(separator: ",")) == "-899991")
  }
}
