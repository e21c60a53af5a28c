// Numbers compared on the tape, without a `JSONNumber` for each.

extension JSONDocument {
  /// −1, 0 or 1 as the number at `index` is less than, equal to or greater than another. Exact.
  package func compareNumbers(at index: Int, in other: JSONDocument, at otherIndex: Int) -> Int {
    if let left = shortInteger(at: index), let right = other.shortInteger(at: otherIndex) {
      return left < right ? -1 : left == right ? 0 : 1
    }
    return DecimalValue(bytes[range(at: index)])
      .compared(to: DecimalValue(other.bytes[other.range(at: otherIndex)]))
  }

  /// −1, 0 or 1 as the number at `index` is less than, equal to or greater than `number`. Exact.
  package func compareNumber(at index: Int, to number: JSONNumber) -> Int {
    DecimalValue(bytes[range(at: index)]).compared(to: number.decimal)
  }

  /// The number at `index` if it is written as an integer of at most 18 digits.
  package func shortInteger(at index: Int) -> Int? {
    let element = element(at: index)
    guard element.isNumber, element.span <= 18 else { return nil }
    var at = element.offset
    let end = at + element.span
    let isNegative = bytes[at] == JSONByte.minus
    if isNegative { at += 1 }
    var value = 0
    while at < end {
      let digit = bytes[at] &- 0x30
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int(digit)
      at += 1
    }
    return isNegative ? -value : value
  }
}
