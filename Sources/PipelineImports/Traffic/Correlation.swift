internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRecordings

/// A value of a response that a later request sends, with the evidence for it.
package struct Correlation: Sendable {
  /// A place in a request.
  struct Place: Sendable, Hashable {
    /// The number of the entry in the file, so that it stays the same when others are left out.
    let entry: Int
    let slot: Int
    let value: ExactText
  }

  /// Why a place of a response was not taken as the origin of a value.
  enum Rejection: String, Sendable {
    case echo = "an earlier request sent it already"
    case weak = "too common, and the names have nothing in common"
    case type = "its JSON type is another one"
    case late = "the response came after the request had begun"
    case other = "another place fits better"
    case second = "it does not hold in the second recording"
    case disproved = "the replay did not follow it"
  }

  /// The position of the request.
  let consumer: Int
  let slot: Int
  let value: String
  let producer: ProducedValue
  let bits: Int
  let agreement: Int
  /// How many places of earlier responses hold the value.
  let occurrences: Int
  /// Whether the second recording shows the same with another value; `nil` if it does not say.
  let isConfirmed: Bool?
  let rejected: [(value: ProducedValue, reason: Rejection)]
}

/// A value that is kept as it is though responses hold it.
struct UnusedCorrelation: Sendable {
  let consumer: Int
  let slot: Int
  let value: String
  /// How many places of earlier responses hold the value.
  let occurrences: Int
  let rejected: [(value: ProducedValue, reason: Correlation.Rejection)]
}

/// Finds where the values of requests come from.
struct Correlator {
  let traffic: Traffic
  private let produced: ProducedValues
  private var senders: [ExactText: Senders] = [:]
  /// The places that a replay has disproved.
  private let excluded: Set<Correlation.Place>
  private let second: SecondRecording?
  private(set) var correlations: [Correlation] = []
  private(set) var unused: [UnusedCorrelation] = []

  init(
    _ traffic: Traffic, _ produced: ProducedValues, excluding excluded: Set<Correlation.Place>,
    second: (Traffic, ProducedValues)?
  ) {
    self.traffic = traffic
    self.excluded = excluded
    self.produced = produced
    self.second = second.map { SecondRecording(traffic, $0, $1) }
    for (number, exchange) in traffic.exchanges.enumerated() {
      for slot in exchange.slotted.slots {
        for text in SlotPieces.texts(of: slot.text) {
          senders[ExactText(text), default: Senders(first: number)].add(slot.name, number)
        }
      }
    }
    for number in traffic.exchanges.indices { correlate(number) }
  }

  /// The text of a slot in the second recording; `nil` if there is none.
  func secondText(_ consumer: Int, _ slot: Int) -> String? { second?.text(consumer, slot) }

  private mutating func correlate(_ consumer: Int) {
    for (number, slot) in traffic.exchanges[consumer].slotted.slots.enumerated() {
      if add(slot.text, number, consumer) { continue }
      for piece in SlotPieces.pieces(of: slot.text) where add(String(piece), number, consumer) {
        break
      }
    }
  }

  /// Whether a text of a slot is the value of a response.
  private mutating func add(_ text: String, _ number: Int, _ consumer: Int) -> Bool {
    let slot = traffic.exchanges[consumer].slotted.slots[number]
    let found = produced.values(of: text, before: consumer)
    guard !found.isEmpty else { return false }
    let bits = ValueStrength.bits(of: text)
    var accepted: [(value: ProducedValue, agreement: Int, isConfirmed: Bool?)] = []
    var rejected: [(value: ProducedValue, reason: Correlation.Rejection)] = []
    for candidate in found {
      let resource = traffic.exchanges[candidate.exchange].slotted.resource
      let agreement = ValueStrength.agreement(of: slot, candidate.names, resource: resource)
      let confirmation = second?.confirms(candidate, consumer, number, text: text)
      if let reason = rejection(
        of: candidate, text, number, consumer, bits, agreement, confirmation)
      {
        rejected.append((candidate, reason))
      } else {
        accepted.append((candidate, agreement, confirmation))
      }
    }
    let best = accepted.max { one, other in
      (one.agreement, one.value.exchange, -one.value.names.count)
        < (other.agreement, other.value.exchange, -other.value.names.count)
    }
    // The first of several equal candidates of one response counts.
    guard
      let best = best.flatMap({ best in
        accepted.first {
          $0.agreement == best.agreement && $0.value.exchange == best.value.exchange
            && $0.value.names.count == best.value.names.count
        }
      })
    else {
      if bits >= 9 || rejected.contains(where: { $0.reason != .weak && $0.reason != .echo }) {
        unused.append(
          .init(
            consumer: consumer, slot: number, value: text,
            occurrences: produced.count(of: text, before: consumer), rejected: rejected))
      }
      return false
    }
    rejected += accepted.filter { $0.value != best.value }.map { ($0.value, .other) }
    correlations.append(
      Correlation(
        consumer: consumer, slot: number, value: text, producer: best.value, bits: bits,
        agreement: best.agreement, occurrences: produced.count(of: text, before: consumer),
        isConfirmed: best.isConfirmed, rejected: rejected))
    return true
  }

  private func rejection(
    of candidate: ProducedValue, _ text: String, _ number: Int, _ consumer: Int, _ bits: Int,
    _ agreement: Int, _ confirmation: Bool?
  ) -> Correlation.Rejection? {
    let exchange = traffic.exchanges[consumer]
    let slot = exchange.slotted.slots[number]
    let place = Correlation.Place(
      entry: exchange.first.number, slot: number, value: ExactText(text))
    if excluded.contains(place) { return .disproved }
    if confirmation == false { return .second }
    let isStrong = bits >= ValueStrength.strongBits
    let isEcho =
      senders[ExactText(text)]?.hasSent(
        by: candidate.exchange, as: isStrong ? nil : [slot.name] + candidate.names.prefix(1))
      ?? false
    if isEcho { return .echo }
    if let isNumber = slot.isNumber, slot.text.equals(bytes: text), isNumber != candidate.isNumber {
      return .type
    }
    let producer = traffic.exchanges[candidate.exchange].last
    if let end = producer.start.map({ $0 + producer.duration }), let start = exchange.first.start,
      end > start + 0.005
    {
      return .late
    }
    if isStrong || confirmation == true || agreement > 2 { return nil }
    if bits >= 9 { return agreement >= 1 && !Self.isSetting(slot.name) ? nil : .weak }
    return agreement >= 2 && (slot.kind == .path || Self.isKey(slot.name)) ? nil : .weak
  }

  private static let settings = [
    "page", "perpage", "pagesize", "limit", "offset", "size", "count", "total", "version", "format",
    "lang", "locale", "sort", "order", "year", "port", "width", "height",
  ]

  /// Whether a parameter says how much or in which form, so that equal numbers mean nothing.
  private static func isSetting(_ name: String) -> Bool {
    let plain = name.lowercased().filter { $0 != "_" && $0 != "-" }
    return settings.contains(plain)
  }

  private static func isKey(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["id", "ids", "key", "token", "cursor", "uuid", "slug", "code", "etag"].contains {
      name.hasSuffix(bytes: $0)
    }
  }
}

/// The requests that send a text.
private struct Senders {
  /// The position of the first one.
  let first: Int
  /// That of the first one which sends it by a name, in lower case.
  private var byName: [String: Int] = [:]

  init(first: Int) { self.first = first }

  mutating func add(_ name: String, _ exchange: Int) {
    let name = name.lowercasedASCII
    if byName[name] == nil { byName[name] = exchange }
  }

  /// Whether an exchange or an earlier one sends it, by one of some names if they are given.
  func hasSent(by exchange: Int, as names: [String]?) -> Bool {
    guard let names else { return first <= exchange }
    return names.contains { byName[$0.lowercasedASCII].map { $0 <= exchange } ?? false }
  }
}

/// A second recording of the same actions with other data.
struct SecondRecording: Sendable {
  private let first: Traffic
  private let traffic: Traffic
  private let produced: ProducedValues
  /// The position in the second recording of each exchange of the first one.
  private let pairs: [Int?]

  init(_ first: Traffic, _ traffic: Traffic, _ produced: ProducedValues) {
    self.first = first
    self.traffic = traffic
    self.produced = produced
    var next = 0
    pairs = first.exchanges.map { exchange in
      guard
        let found = traffic.exchanges[next...].firstIndex(where: {
          $0.slotted.shape.equals(bytes: exchange.slotted.shape)
        })
      else { return nil }
      next = found + 1
      return found
    }
  }

  /// The text of a slot in the second recording; `nil` if it has no such request.
  func text(_ consumer: Int, _ slot: Int) -> String? {
    guard let pair = pairs[consumer] else { return nil }
    let slots = traffic.exchanges[pair].slotted.slots
    let mine = first.exchanges[consumer].slotted.slots
    guard slots.count == mine.count, slots[slot].title.equals(bytes: mine[slot].title) else {
      return nil
    }
    return slots[slot].text
  }

  /// Whether the same place gives the value in the second recording; `nil` if that says nothing.
  func confirms(_ candidate: ProducedValue, _ consumer: Int, _ slot: Int, text: String) -> Bool? {
    guard let other = self.text(consumer, slot), let producer = pairs[candidate.exchange] else {
      return nil
    }
    let isThere = SlotPieces.texts(of: other).contains { piece in
      produced.holds(piece, at: candidate.source, of: producer)
    }
    // Equal values show only that nothing is wrong.
    return isThere ? (other.contains(bytes: text) ? nil : true) : false
  }
}
