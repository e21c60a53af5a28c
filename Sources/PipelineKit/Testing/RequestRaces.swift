internal import PipelineByteText
internal import PipelineRecordings

/// Finds requests whose order matters to the server although nothing orders them: two requests to
/// one URL, at least one of which changes the resource.
enum RequestRaces {
  /// The difference between two orders of one test; `nil`: none that matters.
  static func between(_ one: TestOutcome, _ other: TestOutcome) -> String? {
    var arrivals: [RecordingKey: Int] = [:]
    for sent in other.arrivals { arrivals[sent.key] = sent.arrival }
    let groups = Dictionary(grouping: one.arrivals.filter { !$0.key.isToken }) {
      ExactText($0.request.url.prefix(before: "?", "#"))
    }
    for group in groups.values.sorted(by: { ($0[0].arrival ?? 0) < ($1[0].arrival ?? 0) })
    where group.contains(where: { $0.isWrite }) {
      // Many requests to one URL are looked at near each other.
      for (index, first) in group.enumerated() {
        for second in group[(index + 1)...].prefix(64) where conflict(first, second) {
          guard let early = arrivals[first.key], let late = arrivals[second.key], early > late
          else { continue }
          return text(first, second)
        }
      }
    }
    return nil
  }

  private static func conflict(_ one: TestTransport.Sent, _ other: TestTransport.Sent) -> Bool {
    if one.key.step.equals(bytes: other.key.step) {
      // Of the items of a step the last one to write wins.
      return one.key.item != other.key.item && one.replaces && other.replaces
        && one.request.body != other.request.body
    }
    return one.replaces || other.replaces || one.isWrite != other.isWrite
  }

  private static func text(_ one: TestTransport.Sent, _ other: TestTransport.Sent) -> String {
    let orders = "\(one.name) and \(other.request.method) of \(other.key) arrive in either order"
    if one.key.step.equals(bytes: other.key.step) {
      return orders + "; write '\"concurrency\": 1' at step '\(one.key.step)'"
    }
    return orders + "; write \"dependsOn\": [\"\(one.key.step)\"] at step '\(other.key.step)'"
  }
}

extension TestTransport.Sent {
  /// Whether the request may change something (RFC 9110 §9.2.1).
  fileprivate var isWrite: Bool { !["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.method) }

  /// Whether it changes the resource at its own URL. A POST makes a new one.
  fileprivate var replaces: Bool { ["PUT", "PATCH", "DELETE"].contains(request.method) }
}
