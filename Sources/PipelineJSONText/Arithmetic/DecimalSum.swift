/// Adds numbers exactly, digit by digit.
///
/// The sum has as many decimal places as the number that has the most: `20.00 + 0.5` is `20.50`.
package enum DecimalSum {
  /// A sum of more digits is not worked out: `1e999999999 + 1` would have a billion.
  package static let digitLimit = 10_000

  /// The sum as JSON text; 0 if there are no numbers, and `nil` if it has too many digits.
  ///
  /// - Parameter numbers: Nodes that are numbers.
  /// - Complexity: O(digits of all numbers).
  package static func text(of numbers: [JSONNode]) -> String? {
    if numbers.count == 1 { return numbers[0].text }
    return text(of: numbers.map { Term($0.utf8) })
  }

  /// One number less another, as JSON text; `nil` if it has too many digits.
  package static func difference(_ first: JSONNode, _ second: JSONNode) -> String? {
    text(of: [Term(first.utf8), Term(second.utf8, isNegated: true)])
  }

  private static func text(of terms: [Term]) -> String? {
    let counted = terms.filter { !$0.isZero }
    // A zero only says how many decimal places it has.
    let zeros = terms.filter { $0.isZero && (-digitLimit..<0).contains($0.low) }
    let low = (counted + zeros).map(\.low).min() ?? 0
    let high = max(counted.map(\.high).max() ?? low, low)
    guard terms.allSatisfy(\.isInReach), high - low <= digitLimit else { return nil }
    // The carry out of the highest digit is less than the number of terms.
    var columns = [Int](repeating: 0, count: high - low + 20)
    for term in counted { term.add(to: &columns, from: low) }
    return text(of: columns, from: low)
  }

  /// The text of digits. The first one is worth ten to the power of `low`.
  static func text(of columns: [Int], from low: Int) -> String {
    var digits = columns
    let isNegative = carry(&digits) < 0
    if isNegative {
      digits = columns.map { -$0 }
      _ = carry(&digits)
    }
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty, !(-plainLength..<0).contains(low) { return "0" }
    var text = digits.reversed().map { UInt8(ascii: "0") + UInt8($0) }
    if low == 0 || low > 0 && text.count + low <= plainLength {
      text += [UInt8](repeating: UInt8(ascii: "0"), count: low)
    } else if low > 0 {
      text += Array("e\(low)".utf8)
    } else if -low - text.count > plainLength {
      text += Array("e\(low)".utf8)
    } else {
      let missing = max(0, -low + 1 - text.count)
      text = [UInt8](repeating: UInt8(ascii: "0"), count: missing) + text
      text.insert(JSONByte.point, at: text.count + low)
    }
    return (isNegative ? "-" : "") + String(decoding: text, as: UTF8.self)
  }

  /// The maximum of zeros that are written out. A number with more has an exponent.
  private static let plainLength = 40

  /// Makes each column a digit, and returns what is left over.
  private static func carry(_ columns: inout [Int]) -> Int {
    var carried = 0
    for place in columns.indices {
      let value = columns[place] + carried
      // Rounded down, so that each digit is positive.
      carried = value >= 0 ? value / 10 : (value - 9) / 10
      columns[place] = value - carried * 10
    }
    return carried
  }
}
