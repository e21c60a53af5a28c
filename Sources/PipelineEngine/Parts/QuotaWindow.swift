package import PipelineLanguage
internal import PipelineTransports
internal import Synchronization

/// How many requests have left in a span of time, in slices of it.
///
/// A slice counts as long as any moment of it lies in the span. So no span of the length has more
/// than the quota, and a request counts for at most 1/128 longer.
package struct QuotaWindow: Sendable, Hashable {
  /// Requests of a slice, by its number since 1970.
  package struct Slice: Sendable, Hashable {
    package let number: Int
    package var count: Int

    package init(number: Int, count: Int) {
      self.number = number
      self.count = count
    }
  }

  private static let slicesPerSpan = 128.0

  /// Seconds.
  package let span: Double
  /// In the order of their numbers.
  package private(set) var slices: [Slice]

  package init(span: Duration, slices: [Slice] = []) {
    self.span = span.seconds
    self.slices = slices.sorted { $0.number < $1.number }
  }

  private var length: Double { span / Self.slicesPerSpan }

  /// When a slice no longer counts.
  private func end(of slice: Slice) -> Double { Double(slice.number + 1) * length + span }

  /// Takes up to `wanted` requests of what a quota leaves.
  ///
  /// - Parameters:
  ///   - limit: The requests of a span.
  ///   - time: Seconds since 1970.
  /// - Complexity: Linear in the number of slices, which is at most 130.
  package mutating func take(_ wanted: Int, of limit: Int, at time: Double) -> QuotaAnswer {
    slices = slices.filter { end(of: $0) > time && $0.count > 0 }
    let used = slices.reduce(0) { $0 + $1.count }
    let free = min(wanted, limit - used)
    guard free > 0 else {
      // As many must end as are too many, and one more.
      var left = used - limit
      let next = slices.first { slice in
        left -= slice.count
        return left < 0
      }
      return .none(until: next.map(end(of:)) ?? time)
    }
    let number = Int((time / length).rounded(.down))
    if let index = slices.firstIndex(where: { $0.number == number }) {
      slices[index].count += free
    } else {
      slices.append(Slice(number: number, count: free))
      slices.sort { $0.number < $1.number }
    }
    return .taken(free, slice: number)
  }

  /// Whether nothing in it counts any longer.
  package func isEnded(at time: Double) -> Bool {
    slices.allSatisfy { end(of: $0) <= time || $0.count <= 0 }
  }

  /// Gives back requests that did not leave.
  package mutating func giveBack(_ count: Int, to slice: Int) {
    guard let index = slices.firstIndex(where: { $0.number == slice }) else { return }
    slices[index].count = max(0, slices[index].count - count)
  }
}

/// What a quota leaves.
package enum QuotaAnswer: Sendable, Hashable {
  /// This number of requests may leave. They count in this slice.
  case taken(Int, slice: Int)
  /// None may leave before this time, in seconds since 1970.
  case none(until: Double)
}

/// Keeps the counts of quotas between runs.
package protocol QuotaKeeping: Sendable {
  /// Takes up to `wanted` requests to an origin. They count, and are kept, when this returns.
  func take(
    _ wanted: Int, of quota: Limits.Rate, to origin: String, at time: Double
  ) throws(FileError) -> QuotaAnswer

  /// Gives back requests that did not leave.
  func giveBack(_ count: Int, to slice: Int, of quota: Limits.Rate, to origin: String)
}

/// Keeps the counts of one run alone.
final class RunQuotas: QuotaKeeping {
  private struct Key: Hashable {
    let origin: String
    let quota: Limits.Rate
  }

  private let windows = Mutex<[Key: QuotaWindow]>([:])

  func take(
    _ wanted: Int, of quota: Limits.Rate, to origin: String, at time: Double
  ) -> QuotaAnswer {
    windows.withLock {
      $0[Key(origin: origin, quota: quota), default: QuotaWindow(span: quota.per)]
        .take(wanted, of: quota.count, at: time)
    }
  }

  func giveBack(_ count: Int, to slice: Int, of quota: Limits.Rate, to origin: String) {
    windows.withLock {
      $0[Key(origin: origin, quota: quota)]?.giveBack(count, to: slice)
    }
  }
}
