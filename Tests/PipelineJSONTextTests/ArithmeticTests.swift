import PipelineTestSupport
import Testing

@testable import PipelineJSONText

struct ArithmeticTests {
  /// Python's `decimal` works the same problems out, with more digits than any of them needs.
  @Test(.enabled(if: Tool.isInstalled("python3"), "python3 is not installed"))
  func resultsAreThoseOfPythonsDecimal() throws {
    let script = """
      import decimal, json, random
      random.seed(39)
      decimal.getcontext().prec = 3000
      decimal.getcontext().rounding = decimal.ROUND_HALF_UP
      def number():
        digits = "".join(random.choice("0123456789") for _ in range(random.choice([1, 1, 2, 3, 9, 10, 18, 40])))
        text = random.choice(["", "", "-"]) + str(int(digits))
        if random.random() < .5: text += "." + "".join(random.choice("05") if random.random() < .3 else random.choice("0123456789") for _ in range(random.randint(1, 12)))
        if random.random() < .2: text += random.choice("eE") + random.choice(["", "+", "-"]) + str(random.randint(0, 30))
        return text
      for _ in range(COUNT):
        a, b, places = number(), number(), random.choice([0, 0, 1, 2, 2, 5, 20])
        if random.random() < .2:
          a, b = str(random.randint(-10**6, 10**6)), random.choice(["2", "4", "8", "20", "-40"])
        x, y = decimal.Decimal(a), decimal.Decimal(b)
        quotient = "zero" if y == 0 else format((x / y).quantize(decimal.Decimal(1).scaleb(-places)), "f")
        print(a, b, places, format(x - y, "f"), format(x * y, "f"), quotient)
      """.replacing("COUNT", with: "\(LongTests.count(3_000, long: 100_000))")
    let outcome = Tool.run(["python3", "-c", script], in: TemporaryFolder())
    try #require(outcome.status == 0, "\(outcome.error)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count >= 3_000)
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      let list = Array(
        try JSONDocument.parse(Array("[\(words[0]),\(words[1])]".utf8)).root.elements)
      let places = try #require(Int(words[2]))
      let quotient = DecimalQuotient.text(of: list[0], by: list[1], places: places)
      #expect(try Self.isSame(DecimalSum.difference(list[0], list[1]), words[3]), "\(line)")
      #expect(try Self.isSame(DecimalProduct.text(of: list), words[4]), "\(line)")
      switch quotient {
      case .success(let text): #expect(text == Self.withoutNegativeZero(words[5]), "\(line)")
      case .failure(let problem): #expect(problem == .zero && words[5] == "zero", "\(line)")
      }
    }
  }

  /// Whether a text is the number that Python wrote without an exponent.
  private static func isSame(_ text: String?, _ wanted: String) throws -> Bool {
    guard let text else { return false }
    let pair = try JSONDocument.parse(Array("[\(text),\(wanted)]".utf8)).root
    return pair[0]?.isEqual(to: pair[1] ?? pair) ?? false
  }

  private static func withoutNegativeZero(_ text: String) -> String {
    text.utf8.contains { (0x31...0x39).contains($0) } || !text.hasPrefix("-")
      ? text : String(text.dropFirst())
  }

  @Test func whatWouldBeTooLongIsNotWorkedOut() throws {
    func pair(_ text: String) throws -> [JSONNode] {
      Array(try JSONDocument.parse(Array("[\(text)]".utf8)).root.elements)
    }
    #expect(DecimalProduct.text(of: try pair("1e5000,1e5001")) == nil)
    #expect(DecimalProduct.text(of: try pair("1e999999999999999999999,2")) == nil)
    #expect(DecimalProduct.text(of: try pair("0,1e9999")) == "0")
    let tooLong = try pair("1e999999999999999999999,2")
    #expect(DecimalQuotient.text(of: tooLong[0], by: tooLong[1], places: 2) == .failure(.digits))
    let small = try pair("1,1e999999999")
    #expect(DecimalQuotient.text(of: small[0], by: small[1], places: 2) == .success("0.00"))
  }
}
