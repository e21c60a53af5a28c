/// Multiplies numbers exactly.
///
/// The product has as many decimal places as all its factors together: `1.50 · 2.0` is `3.000`.
package enum DecimalProduct {
  /// The product as JSON text; 1 if there are no numbers, and `nil` if it has too many digits.
  ///
  /// - Parameter numbers: Nodes that are numbers.
  package static func text(of numbers: [JSONNode]) -> String? {
    if numbers.count == 1 { return numbers[0].text }
    let terms = numbers.map { Term($0.utf8) }
    guard terms.allSatisfy(\.isInReach) else { return nil }
    let low = terms.reduce(0) { $0 + $1.low }
    guard abs(low) <= DecimalSum.digitLimit else {
      return terms.contains(where: \.isZero) ? "0" : nil
    }
    var product = Natural(digits: [1])
    for term in terms {
      product = product.times(Natural(digits: term.digitsFromLow))
      guard product.digits.count + abs(low) <= DecimalSum.digitLimit else { return nil }
    }
    let isNegative = terms.count(where: \.isNegative) % 2 == 1
    return DecimalSum.text(of: product.columns(isNegative: isNegative), from: low)
  }
}

extension Natural {
  /// The digits as columns that a sum is made of.
  func columns(isNegative: Bool) -> [Int] { digits.map { isNegative ? -Int($0) : Int($0) } }
}
