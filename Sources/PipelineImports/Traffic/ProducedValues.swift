internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRecordings
internal import PipelineURIs

/// A value that a response gave and a later request may have sent.
struct ProducedValue: Sendable, Hashable {
  /// The position of the exchange whose response it is.
  let exchange: Int
  let source: ImportedSource
  /// The name under which it is, then the names around it, from the inside.
  let names: [String]
  /// Whether it is a JSON number.
  let isNumber: Bool
}

/// The values of responses that requests sent, by their text. All others are forgotten at once, so
/// that memory does not grow with the responses.
struct ProducedValues: Sendable {
  /// The places of one text.
  private struct Places {
    /// In the order of the exchanges.
    var values: [ProducedValue] = []
    /// The exchanges whose responses have the text, each with the number of places up to its end.
    var counts: [(exchange: Int, sum: Int)] = []
  }

  private var places: [ExactText: Places] = [:]
  /// Whether some wanted text has this length, first and last byte, so that most texts of responses
  /// are not looked up.
  private var marks = [Bool](repeating: false, count: 1 << 16)

  /// A response may repeat a value in each of its records.
  private static let limit = 12
  /// A value may be in many responses. The first ones and the latest ones are looked at.
  private static let window = 64

  /// The values of a recording's responses.
  ///
  /// - Complexity: Reads each response once.
  init(of traffic: Traffic) {
    for exchange in traffic.exchanges {
      for slot in exchange.slotted.slots {
        for text in SlotPieces.texts(of: slot.text) where !text.isEmpty {
          places[ExactText(text)] = Places()
          if let mark = Self.mark(text.utf8) { marks[mark] = true }
        }
      }
    }
    for (number, exchange) in traffic.exchanges.enumerated() {
      guard
        let response = TrafficReader.exchange(traffic.source, at: exchange.last.place)?.response
      else { continue }
      read(response, of: number)
    }
  }

  private static func mark(_ bytes: some BidirectionalCollection<UInt8>) -> Int? {
    guard let first = bytes.first, let last = bytes.last else { return nil }
    return ((Int(first) * 31 + Int(last)) * 257 + bytes.count) & 0xFFFF
  }

  /// Whether a text may be wanted.
  func isLikely(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
    Self.mark(bytes).map { marks[$0] } ?? false
  }

  /// Adds a place of a text, if a request sends it.
  mutating func add(
    _ text: String, _ exchange: Int, _ source: @autoclosure () -> ImportedSource,
    _ names: @autoclosure () -> [String], isNumber: Bool = false
  ) {
    guard isLikely(text.utf8), let index = places.index(forKey: ExactText(text)) else { return }
    let known = places.values[index].counts.last
    let isFirst = known?.exchange != exchange
    let before =
      isFirst
      ? 0
      : places.values[index].values.reversed().prefix(Self.limit).count {
        $0.exchange == exchange
      }
    if isFirst {
      places.values[index].counts.append((exchange, (known?.sum ?? 0) + 1))
    } else {
      places.values[index].counts[places.values[index].counts.count - 1].sum += 1
    }
    guard before < Self.limit else { return }
    let value = ProducedValue(
      exchange: exchange, source: source(), names: names(), isNumber: isNumber)
    if places.values[index].values.suffix(before).contains(value) { return }
    places.values[index].values.append(value)
  }

  /// The places of a text in the responses before an exchange: the first and the latest of them.
  func values(of text: String, before exchange: Int) -> [ProducedValue] {
    let all = places[ExactText(text)]?.values ?? []
    let known = all[..<all.partitioningIndex { $0.exchange >= exchange }]
    return known.count <= 2 * Self.window
      ? Array(known) : Array(known.prefix(Self.window) + known.suffix(Self.window))
  }

  /// How many places of responses before an exchange hold a text.
  func count(of text: String, before exchange: Int) -> Int {
    let counts = places[ExactText(text)]?.counts ?? []
    let end = counts.partitioningIndex { $0.exchange >= exchange }
    return end > 0 ? counts[end - 1].sum : 0
  }

  /// Whether the response of an exchange has a text at a place.
  func holds(_ text: String, at source: ImportedSource, of exchange: Int) -> Bool {
    let all = places[ExactText(text)]?.values ?? []
    return all[all.partitioningIndex { $0.exchange >= exchange }...].prefix {
      $0.exchange == exchange
    }.contains { $0.source == source }
  }

  /// The values with other positions of exchanges, without those that have none.
  func renumbered(_ positions: [Int?]) -> ProducedValues {
    var renumbered = self
    renumbered.places = places.mapValues { old in
      var places = Places()
      places.values = old.values.compactMap { value in
        positions[value.exchange].map {
          ProducedValue(
            exchange: $0, source: value.source, names: value.names, isNumber: value.isNumber)
        }
      }
      var before = 0
      for (exchange, sum) in old.counts {
        if let position = positions[exchange] {
          places.counts.append((position, (places.counts.last?.sum ?? 0) + sum - before))
        }
        before = sum
      }
      return places
    }
    return renumbered
  }
}
