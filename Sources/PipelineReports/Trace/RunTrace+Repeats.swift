internal import PipelineByteText
internal import PipelineJSONText
package import PipelineEngine

extension RunTrace {
  /// How many requests were sent for each cause but the first.
  package struct Repeats: Decodable, Sendable, Equatable {
    /// By the cause's name in events.
    private var counts: [String: Int] = [:]

    package init() {}

    package init(from decoder: any Decoder) throws {
      counts = try decoder.singleValueContainer().decode([String: Int].self)
    }

    func write(to writer: inout JSONWriter) {
      for (cause, count) in counts.sorted(by: { $0.key < $1.key }) { writer.member(cause, count) }
    }

    package subscript(cause: RequestCause) -> Int { counts[cause.rawValue] ?? 0 }

    fileprivate mutating func add(_ count: Int, _ cause: String) {
      counts[cause, default: 0] = FileNumber.sum(counts[cause] ?? 0, count)
    }

    fileprivate mutating func add(_ other: Repeats) {
      for (cause, count) in other.counts { add(count, cause) }
    }

    /// For people, a text for each cause: `2 retries by status`, `4 polls`.
    package var texts: [String] {
      RequestCause.allCases.compactMap { cause in
        let count = self[cause]
        return count > 0 ? Self.text(count, cause) : nil
      }
    }

    private static func text(_ count: Int, _ cause: RequestCause) -> String {
      let retries = count == 1 ? "1 retry" : "\(count.groupedText) retries"
      return switch cause {
      case .first: ""
      case .status: retries + " by status"
      case .error: retries + " by error"
      case .condition: retries + " by condition"
      case .lostConnection: count.countText("lost connection")
      case .refusedToken: count.groupedText + " after a refused token"
      case .redirect: count.countText("redirect")
      case .validation: count.countText("validation")
      case .poll: count.countText("poll")
      case .page: count.countText("further page")
      case .settle: count.countText("look-up")
      }
    }
  }
}

extension RunTrace.Repeats? {
  mutating func add(_ cause: RequestCause) {
    var repeats = self ?? RunTrace.Repeats()
    repeats.add(1, cause.rawValue)
    self = repeats
  }

  mutating func add(_ other: RunTrace.Repeats?) {
    guard let other else { return }
    var repeats = self ?? RunTrace.Repeats()
    repeats.add(other)
    self = repeats
  }

  /// A text for each cause.
  ///
  /// - Parameter retries: The number of retries, which the traces of earlier versions have alone.
  package func texts(retries: Int) -> [String] {
    if let self { return self.texts }
    return retries > 0 ? ["\(retries.groupedText) tried again"] : []
  }
}

extension RunTrace.Request {
  package var place: RequestPlace {
    RequestPlace(item: item, page: page, poll: poll, isForToken: isForToken ?? false)
  }

  /// The name of its cause in events.
  package var causeName: String { cause ?? RequestCause.first.rawValue }

  /// Its place after the step and the item, its attempt and its cause, for people.
  package var placeText: String {
    var place = place
    place.item = nil
    let attempt = attempt > 1 ? ["attempt \(attempt)"] : []
    let text = place.text(RequestCause(rawValue: causeName) ?? .first)
    return (attempt + (text.isEmpty ? [] : [text])).joined(separator: ", ")
  }
}
