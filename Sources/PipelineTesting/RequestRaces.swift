internal import PipelineByteText
internal import PipelineKit
internal import PipelineRecordings

/// Finds requests whose order matters to the server although nothing orders them: two requests to
/// one URL, at least one of which changes the resource.
enum RequestRaces {
  /// The difference between two orders of one test; `nil` if there is none that matters.
  static func between(_ one: TestOutcome, _ other: TestOutcome) -> String? {
    let order = ArrivalOrder(of: one, in: other)
    let all = one.arrivals.filter { !$0.key.isToken }
    let groups = Dictionary(grouping: all) { ExactText($0.path) }
    let sorted = groups.values.sorted { ($0[0].arrival ?? 0) < ($1[0].arrival ?? 0) }
    for group in sorted where group.contains(where: { $0.isWrite }) {
      // Many requests to one URL are looked at near each other.
      for (index, first) in group.enumerated() {
        for second in group[(index + 1)...].prefix(64)
        where conflict(first, second) && order.isOther(first, second) {
          return text(first, second)
        }
      }
    }
    return nil
  }

  private static func conflict(_ one: TestTransport.Sent, _ other: TestTransport.Sent) -> Bool {
    if one.key.step.equals(bytes: other.key.step) {
      // The last item of a step that writes wins.
      return one.key.item != other.key.item && one.replaces && other.replaces
        && one.request.body != other.request.body
    }
    return one.replaces || other.replaces || one.isWrite != other.isWrite
  }

  private static func text(_ one: TestTransport.Sent, _ other: TestTransport.Sent) -> String {
    let orders = "\(one.name) and \(other.named(beside: one)) arrive in either order"
    if one.key.step.equals(bytes: other.key.step) {
      return orders + "; write '\"concurrency\": 1' at step '\(one.key.step)'"
    }
    return orders + "; write \"dependsOn\": [\"\(one.key.step)\"] at step '\(other.key.step)'"
  }
}

/// Requests of different steps to one server that nothing orders, over all orders of a test: two
/// writes, or a change of a resource and a reading of the list that has it. Whether their order
/// matters is known to the author alone.
struct WriteRaces {
  private struct Pair: Hashable {
    let first: ExactText
    let second: ExactText
  }

  private var notes: [(pair: Pair, text: String)] = []

  /// The maximum number of pairs of steps that are named.
  private static let most = 5
  /// Requests that are looked at around each.
  private static let reach = 64

  mutating func note(_ one: TestOutcome, _ other: TestOutcome) {
    guard notes.count < Self.most else { return }
    let order = ArrivalOrder(of: one, in: other)
    let all = one.arrivals.filter { !$0.key.isToken }
    guard all.contains(where: \.isWrite) else { return }
    for (index, first) in all.enumerated() {
      for second in all[(index + 1)...].prefix(Self.reach) {
        guard first.isWrite && second.isWrite || first.changes(second) || second.changes(first),
          !first.path.equals(bytes: second.path), !first.key.step.equals(bytes: second.key.step),
          first.request.url.origin.equals(bytes: second.request.url.origin),
          order.isOther(first, second)
        else { continue }
        add(first, second)
      }
    }
  }

  private mutating func add(_ one: TestTransport.Sent, _ other: TestTransport.Sent) {
    let pair = Pair(first: ExactText(one.key.step), second: ExactText(other.key.step))
    let reverse = Pair(first: pair.second, second: pair.first)
    guard notes.count < Self.most, !notes.contains(where: { [pair, reverse].contains($0.pair) })
    else { return }
    notes.append(
      (
        pair,
        "\(one.name) and \(other.named(beside: one)) arrive in either order; if the server needs the"
          + " first one first, write \"dependsOn\": [\"\(one.key.step)\"] at step"
          + " '\(other.key.step)'"
      ))
  }

  func notes(at range: Range<Int>) -> [TestProblem] {
    notes.map { TestProblem($0.text, at: range) }
  }
}

/// When the requests of one order of a test arrived in another one.
private struct ArrivalOrder {
  /// By the arrival in the first order.
  private var others: [Int: Int] = [:]

  /// A block that begins again asks the same several times: the first with the first, and so on.
  init(of one: TestOutcome, in other: TestOutcome) {
    var arrivals = Dictionary(grouping: other.arrivals, by: \.key)
      .mapValues { $0.compactMap(\.arrival)[...] }
    for sent in one.arrivals {
      guard let arrival = sent.arrival else { continue }
      others[arrival] = arrivals[sent.key]?.popFirst()
    }
  }

  /// Whether two requests arrived the other way round.
  func isOther(_ first: TestTransport.Sent, _ second: TestTransport.Sent) -> Bool {
    guard let early = first.arrival.flatMap({ others[$0] }),
      let late = second.arrival.flatMap({ others[$0] })
    else { return false }
    return early > late
  }
}

extension TestTransport.Sent {
  /// The URL without its query.
  fileprivate var path: String { String(request.url.prefix(before: "?", "#")) }

  /// Whether the request may change something (RFC 9110 §9.2.1).
  fileprivate var isWrite: Bool { !["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.method) }

  /// Whether it changes the resource at its own URL. A POST makes a new one.
  fileprivate var replaces: Bool { ["PUT", "PATCH", "DELETE"].contains(request.method) }

  /// Whether it changes a resource whose list the other request reads.
  fileprivate func changes(_ list: TestTransport.Sent) -> Bool {
    replaces && ["GET", "HEAD"].contains(list.request.method)
      && path.parentPath?.equals(bytes: list.path) == true
  }

  /// As a message names it after another one.
  fileprivate func named(beside other: TestTransport.Sent) -> String {
    path.equals(bytes: other.path) ? "\(request.method) of \(key)" : name
  }
}

extension String {
  /// The URL of the list that a resource is in; `nil` if the path has only one part.
  fileprivate var parentPath: String? {
    guard let start = firstRange(bytes: "://")?.upperBound,
      let slash = lastIndex(ascii: "/"), slash > start,
      self[start..<slash].contains(bytes: "/")
    else { return nil }
    return String(self[..<slash])
  }

  /// The part before the path.
  fileprivate var origin: Substring {
    let start = firstRange(bytes: "://")?.upperBound ?? startIndex
    let end = utf8[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? endIndex
    return self[..<end]
  }
}
