internal import JSONText
internal import Workflows

/// Short values that the `values` steps of a frame read of each other, under the numbers that the
/// plan gave them: one place in memory for each, where the values of a step, their tape and their text
/// are three.
struct KeptValues {
  private var scalars: [ShortScalar]

  /// - Parameter count: How many numbers there are; what has none of them is not kept.
  init(count: Int) {
    scalars = Array(repeating: .empty, count: count)
  }

  /// What is kept under a number; `nil`: nothing.
  subscript(number: Int32) -> ShortScalar? {
    guard number < scalars.count, !scalars[Int(number)].isEmpty else { return nil }
    return scalars[Int(number)]
  }

  /// What a member comes to without anything else being looked at; `nil`: that is not known.
  func value(of member: ValuesPlan.Member) -> ShortScalar? {
    if case .scalar(let scalar) = member.source { return scalar }
    return member.sourceNumber.flatMap { self[$0] }
  }

  /// Keeps the value of a member that others read.
  mutating func keep(_ scalar: ShortScalar, of member: ValuesPlan.Member) {
    if let number = member.number, number < scalars.count { scalars[Int(number)] = scalar }
  }

  /// A step failed: what it had given so far is nobody's to read.
  mutating func forget(_ values: ValuesPlan) {
    for member in values.members { keep(.empty, of: member) }
  }
}
