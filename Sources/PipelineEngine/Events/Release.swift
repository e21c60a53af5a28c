/// The event that let a step, or one of its items, begin: the last one that it waited for.
public struct Release: Sendable, Hashable {
  /// The kind of event.
  public enum Kind: String, Sendable, Hashable {
    /// The run began, or the pass through the block around.
    case start
    /// `step` ended, the last dependency to end.
    case dependency
    /// The main steps ended, and the `finally` steps began.
    case finally
    /// The step itself began: its item waited for nothing else.
    case step
    /// `item` of the same step ended. The step is at its limit of items at once.
    case item
    /// A request of `step` gave its slot free: it ended, or waits for something itself.
    case slot
    /// A paused run was resumed.
    case resume
  }

  /// The kind of event.
  public let kind: Kind
  /// The step that ended or gave its slot free, with the blocks around it.
  public let step: String?
  /// The positions of the items of the blocks around that step, outermost first.
  public let path: [Int]
  /// The position of the item that ended or gave its slot free.
  public let item: Int?

  /// The event and its subject.
  package init(_ kind: Kind, step: String? = nil, path: [Int] = [], item: Int? = nil) {
    self.kind = kind
    self.step = step
    self.path = path
    self.item = item
  }
}

extension RunEvent {
  /// How long a request was held back before it was sent, by reason.
  public struct Waits: Sendable, Hashable {
    /// For a place among the requests in flight, of all or to its origin.
    public internal(set) var place = Duration.zero
    /// For its turn under a rate.
    public internal(set) var rate = Duration.zero
    /// For the end of a pause that its origin asked for, of this request or of another one.
    public internal(set) var pause = Duration.zero
    /// For requests that its origin takes again, as it has announced.
    public internal(set) var announced = Duration.zero
    /// Before another attempt, if the server did not say when.
    public internal(set) var retry = Duration.zero
    /// Before it asked again.
    public internal(set) var poll = Duration.zero

    /// All of them.
    public var total: Duration { place + rate + pause + announced + retry + poll }

    static func + (left: Waits, right: Waits) -> Waits {
      var sum = Waits()
      sum.place = left.place + right.place
      sum.rate = left.rate + right.rate
      sum.pause = left.pause + right.pause
      sum.announced = left.announced + right.announced
      sum.retry = left.retry + right.retry
      sum.poll = left.poll + right.poll
      return sum
    }
  }
}
