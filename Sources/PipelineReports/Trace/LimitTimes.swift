internal import PipelineByteText

/// How long a piece of work takes under several sets of limits, without the pauses that servers ask
/// for.
struct LimitTimes {
  private(set) var lanes = SIMD8<Int>()

  /// Without any limit.
  static let unlimited = 0
  /// Under the run's limits.
  static let asTheyAre = 1
  /// With `limits.concurrency` doubled.
  static let doubledRun = 2
  /// With the own `concurrency` of one step doubled, from this lane on.
  static let steps = 3..<8

  init() {}

  /// - Parameter time: The same under all limits.
  init(_ time: Int) { lanes = SIMD8(repeating: time) }

  fileprivate init(lanes: SIMD8<Int>) { self.lanes = lanes }

  subscript(lane: Int) -> Int { lanes[lane] }

  static func + (left: Self, right: Self) -> Self { Self(lanes: left.lanes &+ right.lanes) }

  func longest(_ other: Self) -> Self {
    Self(lanes: lanes.replacing(with: other.lanes, where: other.lanes .> lanes))
  }

  func shortest(_ other: Self) -> Self {
    Self(lanes: lanes.replacing(with: other.lanes, where: other.lanes .< lanes))
  }
}

/// The times of the items of a collection, and of the collection as a whole.
struct CollectionTimes {
  /// How many items a collection may carry out at once.
  struct Width {
    /// The slots of `limits.concurrency`; 0 if unknown.
    let run: Int
    /// The step's own number, if it is less.
    let own: Int?
    /// The lane in which this number is doubled.
    let lane: Int?
    /// Whether each item needs the one before: `until` looks at its row.
    let isSequential: Bool

    func count(in lane: Int) -> Int? {
      if isSequential { return 1 }
      let run = run > 0 ? run : nil
      return switch lane {
      case LimitTimes.unlimited: nil
      case LimitTimes.doubledRun: own ?? run.map { $0 * 2 }
      default: own.map { lane == self.lane ? $0 * 2 : $0 } ?? run
      }
    }
  }

  private var count = 0
  private var longest = LimitTimes()
  private var shortest = LimitTimes(.max)
  private var sum = LimitTimes()

  mutating func add(_ item: LimitTimes) {
    count += 1
    longest = longest.longest(item)
    shortest = shortest.shortest(item)
    sum = sum + item
  }

  /// The minimum time of all items. Each of `concurrency` items at once takes at least its share of
  /// them, and the shortest ones at best.
  func total(_ width: Width) -> LimitTimes {
    guard count > 0 else { return LimitTimes() }
    var lanes = longest.lanes
    for lane in lanes.indices {
      guard let width = width.count(in: lane) else { continue }
      let rounds = (count + width - 1) / width
      lanes[lane] = max(lanes[lane], sum[lane] / width, FileNumber.product(rounds, shortest[lane]))
    }
    return LimitTimes(lanes: lanes)
  }
}
