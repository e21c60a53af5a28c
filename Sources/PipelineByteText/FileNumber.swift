/// Numbers out of files, which may have been written by anybody, brought within limits. What is
/// computed with them then stays within `Int` and `Duration`.
package enum FileNumber {
  /// The largest count, size or time in the unit of its file.
  package static let most = 1 << 48

  /// A count, a size, or a time in whole units.
  package static func count(_ number: Int) -> Int { min(max(number, 0), most) }

  /// A number that may be negative.
  package static func integer(_ number: Int) -> Int { min(max(number, -most), most) }

  /// The sum of two counts of any file, however many are added.
  package static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? largest : min(max(sum, -largest), largest)
  }

  /// The product of two counts.
  package static func product(_ left: Int, _ right: Int) -> Int {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? largest : min(max(product, -largest), largest)
  }

  /// Largest sum or product: a thousand times as much is still an `Int`.
  private static let largest = most << 4

  /// Seconds, as a duration or since 1970; 0 if it is not a number.
  package static func seconds(_ number: Double) -> Double {
    guard !number.isNaN else { return 0 }
    return min(max(number, -farthest), farthest)
  }

  /// The end of the year 9999.
  private static let farthest = 253_402_300_799.0
}
