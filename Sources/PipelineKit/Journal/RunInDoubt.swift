/// Why a run is not gone on with: requests that must not be sent twice may have arrived.
///
/// A person who has checked settles each, with `Journal.settle(_:as:)`.
public struct RunInDoubt: Error, Sendable, CustomStringConvertible {
  /// The requests that must be settled first.
  public let requests: [SendingRecord]

  /// An error about these requests.
  public init(requests: [SendingRecord]) {
    self.requests = requests
  }

  /// A sentence with the first of them.
  public var description: String {
    let lines = requests.map { "\($0.unit.name): \($0.method) \($0.url)" }
    return "nobody knows whether these requests were carried out: " + lines.joined(separator: ", ")
  }
}

/// A person's statement on a request whose outcome nobody knows.
public enum Settlement: Sendable {
  /// It did not arrive, or may arrive twice: it is sent again.
  case again
  /// It need not be carried out: its row is `null`, and steps that need its values are skipped.
  case skip
  /// It was carried out, with these values: the text of a JSON object.
  case done(values: [UInt8])
}

extension Journal {
  /// Writes down what a person says of a request whose outcome nobody knows.
  public func settle(_ request: SendingRecord, as settlement: Settlement) {
    let place = UnitKey(step: request.unit.step, place: request.unit.place, digest: nil)
    let record = { (outcome: UnitRecord.Outcome) in
      UnitRecord(key: place, outcome: outcome, settled: [request.id], items: request.items)
    }
    switch settlement {
    case .again: append(.sent(request.id, nil))
    case .skip: append(.unit(record(.skipped)))
    case .done(let values): append(.unit(record(.values(values))))
    }
  }
}

extension UnitKey {
  /// As people name it: `create[3]`, and inside blocks `order[3].line[0]`.
  ///
  /// Blocks that are not collections have no number. So if there are fewer positions than ids, the
  /// last ids have them.
  public var name: String {
    place.isEmpty ? step : step + "[" + place.map(String.init).joined(separator: "][") + "]"
  }
}
