internal import PipelineByteText

/// The frequencies of times: exact to 3 %, with the exact maximum and sum.
package struct Histogram: Decodable, Sendable {
  package private(set) var count = 0
  package private(set) var max = 0
  package private(set) var sum = 0
  /// By bucket, in order.
  package private(set) var buckets: [Int] = []
  package private(set) var counts: [Int] = []

  private static let fractionBits = 5

  package init() {}

  package mutating func add(_ time: Int) {
    let time = Swift.max(0, time)
    sum = FileNumber.sum(sum, time)
    max = Swift.max(max, time)
    add(1, to: Self.bucket(of: time))
  }

  /// Whether it can have been made by adding times.
  var isConsistent: Bool {
    buckets.count == counts.count && counts.allSatisfy { $0 >= 0 } && count >= 0
      && buckets.allSatisfy { (0...Self.bucket(of: .max)).contains($0) }
  }

  /// Adds all times of another one.
  mutating func add(_ other: Histogram) {
    sum = FileNumber.sum(sum, other.sum)
    max = Swift.max(max, other.max)
    for (bucket, count) in zip(other.buckets, other.counts) { add(count, to: bucket) }
  }

  private mutating func add(_ more: Int, to bucket: Int) {
    count += more
    let index = buckets.partitioningIndex { $0 >= bucket }
    if index < buckets.count, buckets[index] == bucket {
      counts[index] += more
    } else {
      buckets.insert(bucket, at: index)
      counts.insert(more, at: index)
    }
  }

  /// The time that this share of all does not exceed.
  package func quantile(_ share: Double) -> Int {
    let rank = Int((share * Double(count)).rounded(.up))
    var seen = 0
    for (bucket, count) in zip(buckets, counts) {
      seen += count
      if seen >= rank { return Swift.min(Self.end(of: bucket), max) }
    }
    return max
  }

  /// Each number below 32 has a separate bucket. Above, each power of two has 32.
  private static func bucket(of time: Int) -> Int {
    guard time >= 1 << fractionBits else { return time }
    let exponent = Int.bitWidth - 1 - time.leadingZeroBitCount
    let fraction = time >> (exponent - fractionBits) - 1 << fractionBits
    return (exponent - fractionBits + 1) << fractionBits + fraction
  }

  /// The shortest time in a bucket.
  package static func start(of bucket: Int) -> Int {
    guard bucket >= 1 << fractionBits else { return bucket }
    let exponent = bucket >> fractionBits + fractionBits - 1
    let fraction = bucket & (1 << fractionBits - 1)
    return (1 << fractionBits + fraction) << (exponent - fractionBits)
  }

  /// The longest time in a bucket.
  package static func end(of bucket: Int) -> Int { start(of: bucket + 1) - 1 }
}

/// Counts over time, in a limited number of columns of equal length.
package struct Density: Decodable, Sendable {
  /// How long a column is, in microseconds.
  package private(set) var width = 1_000
  package private(set) var good: [Int] = []
  package private(set) var bad: [Int] = []

  package init() {}

  package mutating func add(at time: Int, isGood: Bool) {
    add(at: time, good: isGood ? 1 : 0, bad: isGood ? 0 : 1)
  }

  /// Adds the content of another one, moved by `offset`.
  mutating func add(_ other: Density, after offset: Int) {
    for column in other.good.indices where other.good[column] + other.bad[column] > 0 {
      add(
        at: offset + column * other.width + other.width / 2, good: other.good[column],
        bad: other.bad[column])
    }
  }

  /// Whether it can have been made by adding moments.
  var isConsistent: Bool {
    width > 0 && good.count == bad.count && good.count <= RunTrace.Most.columns
      && (good + bad).allSatisfy { $0 >= 0 }
  }

  /// How much happened in all.
  var count: Int { good.reduce(0, +) + bad.reduce(0, +) }

  private mutating func add(at time: Int, good more: Int, bad: Int) {
    while time / width >= RunTrace.Most.columns { coarsen() }
    let column = Swift.max(0, time / width)
    if column >= good.count {
      good += Array(repeating: 0, count: column + 1 - good.count)
      self.bad += Array(repeating: 0, count: column + 1 - self.bad.count)
    }
    good[column] += more
    self.bad[column] += bad
  }

  private mutating func coarsen() {
    width *= 2
    good = Self.halved(good)
    bad = Self.halved(bad)
  }

  private static func halved(_ columns: [Int]) -> [Int] {
    stride(from: 0, to: columns.count, by: 2).map { index in
      columns[index] + (index + 1 < columns.count ? columns[index + 1] : 0)
    }
  }
}
