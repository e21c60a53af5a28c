internal import PipelineByteText

/// The asking step of a recorded response: a place in a run, whatever was requested.
///
/// Requests that are alike, concurrent or polling have separate keys. So each gets its own response
/// back, in any order.
public struct RecordingKey: Sendable, Hashable, Comparable {
  /// The step's id after the ids of the blocks and calls around it, joined with dots. Empty for a
  /// request for a token, which belongs to all steps.
  public var step: String
  /// The positions of the items around, outermost first.
  public var path: [Int]
  /// The position of the item; `nil` if the step has no items.
  public var item: Int?
  /// From 0.
  public var page: Int
  /// From 0.
  public var poll: Int
  /// From 1.
  public var attempt: Int
  /// How many redirects were followed before.
  public var redirect: Int

  /// A key, whose parts count from 0, the attempt from 1.
  ///
  /// - Parameters:
  ///   - step: The id of the step, after those of the blocks and calls around it.
  ///   - path: The positions of the items around, outermost first.
  ///   - item: The position of the item, if the step is a collection.
  ///   - page: The number of pages before.
  ///   - poll: The number of polls before.
  ///   - attempt: The number of the attempt.
  ///   - redirect: The number of redirects before.
  public init(
    step: String, path: [Int] = [], item: Int? = nil, page: Int = 0, poll: Int = 0,
    attempt: Int = 1, redirect: Int = 0
  ) {
    self.step = step
    self.path = path
    self.item = item
    self.page = page
    self.poll = poll
    self.attempt = attempt
    self.redirect = redirect
  }

  /// Whether it is that of a request for a token.
  public var isToken: Bool { step.isEmpty }

  /// Compares byte by byte.
  public static func == (left: RecordingKey, right: RecordingKey) -> Bool {
    left.numbers == right.numbers && left.step.equals(bytes: right.step) && left.path == right.path
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(step)
    hasher.combine(path)
    hasher.combine(numbers)
  }

  /// The order of entries in a recording: by step, then by position.
  public static func < (left: RecordingKey, right: RecordingKey) -> Bool {
    if !left.step.equals(bytes: right.step) {
      return left.step.utf8.lexicographicallyPrecedes(right.step.utf8)
    }
    if left.path != right.path { return left.path.lexicographicallyPrecedes(right.path) }
    return left.numbers.lexicographicallyPrecedes(right.numbers)
  }

  private var numbers: [Int] { [item ?? -1, page, poll, attempt, redirect] }
}

extension RecordingKey: CustomStringConvertible {
  /// As a message names it: `step 'user', item 3, page 1, attempt 2`.
  public var description: String {
    var parts = [isToken ? "the request for a token" : "step '\(step)'"]
    if !path.isEmpty { parts.append("in item " + path.map(String.init).joined(separator: "/")) }
    if let item { parts.append("item \(item)") }
    if page > 0 { parts.append("page \(page)") }
    if poll > 0 { parts.append("poll \(poll)") }
    if attempt > 1 { parts.append("attempt \(attempt)") }
    if redirect > 0 { parts.append("redirect \(redirect)") }
    return parts.joined(separator: ", ")
  }
}
