/// A whole number of any length, not negative, in digits of a billion from the last to the first.
///
/// Only decimal arithmetic on texts needs it, so it is made from digits and written as digits.
struct Natural {
  private static let base: UInt64 = 1_000_000_000
  private static let places = 9

  /// Without zeros at its end.
  private var limbs: [UInt64]

  /// - Parameters:
  ///   - digits: From the last to the first, each less than ten.
  ///   - zeros: The zeros after the last digit.
  init(digits: [UInt8], zeros: Int = 0) {
    limbs = [UInt64](repeating: 0, count: (digits.count + zeros) / Self.places + 1)
    var scale = [UInt64](repeating: 1, count: Self.places)
    for place in 1..<Self.places { scale[place] = scale[place - 1] * 10 }
    for (place, digit) in digits.enumerated() {
      let place = place + zeros
      limbs[place / Self.places] += UInt64(digit) * scale[place % Self.places]
    }
    trim()
  }

  private init(limbs: [UInt64]) {
    self.limbs = limbs
    trim()
  }

  private mutating func trim() {
    while limbs.last == 0 { limbs.removeLast() }
  }

  /// From the last to the first.
  var digits: [UInt8] {
    var digits: [UInt8] = []
    for limb in limbs {
      var rest = limb
      for _ in 0..<Self.places {
        digits.append(UInt8(rest % 10))
        rest /= 10
      }
    }
    while digits.last == 0 { digits.removeLast() }
    return digits
  }

  /// - Complexity: O(n · m) in the digits of both.
  func times(_ other: Natural) -> Natural {
    var product = [UInt64](repeating: 0, count: limbs.count + other.limbs.count)
    for (place, limb) in limbs.enumerated() {
      var carry: UInt64 = 0
      for (otherPlace, otherLimb) in other.limbs.enumerated() {
        let sum = product[place + otherPlace] + limb * otherLimb + carry
        product[place + otherPlace] = sum % Self.base
        carry = sum / Self.base
      }
      if carry > 0 { product[place + other.limbs.count] += carry }
    }
    return Natural(limbs: product)
  }

  /// The quotient and the remainder. The divisor is not zero.
  ///
  /// - Complexity: O(n · m) in the digits of both.
  func divided(by divisor: Natural) -> (quotient: Natural, remainder: Natural) {
    var quotient = [UInt64](repeating: 0, count: limbs.count)
    var remainder = Natural(limbs: [])
    for place in limbs.indices.reversed() {
      remainder.limbs.insert(limbs[place], at: 0)
      remainder.trim()
      // The greatest digit whose product does not exceed the remainder.
      var (low, high): (UInt64, UInt64) = (0, Self.base - 1)
      while low < high {
        let middle = (low + high + 1) / 2
        if divisor.times(Natural(limbs: [middle])).isAtMost(remainder) {
          low = middle
        } else {
          high = middle - 1
        }
      }
      quotient[place] = low
      remainder.subtract(divisor.times(Natural(limbs: [low])))
    }
    return (Natural(limbs: quotient), remainder)
  }

  var next: Natural {
    var limbs = limbs + [0]
    var place = 0
    while limbs[place] == Self.base - 1 {
      limbs[place] = 0
      place += 1
    }
    limbs[place] += 1
    return Natural(limbs: limbs)
  }

  func isAtMost(_ other: Natural) -> Bool {
    if limbs.count != other.limbs.count { return limbs.count < other.limbs.count }
    for place in limbs.indices.reversed() where limbs[place] != other.limbs[place] {
      return limbs[place] < other.limbs[place]
    }
    return true
  }

  /// The other one is at most this one.
  private mutating func subtract(_ other: Natural) {
    var borrow: UInt64 = 0
    for place in limbs.indices {
      let taken = (place < other.limbs.count ? other.limbs[place] : 0) + borrow
      borrow = limbs[place] < taken ? 1 : 0
      limbs[place] = limbs[place] + borrow * Self.base - taken
    }
    trim()
  }
}
