/// Why a run is not gone on with: requests that must not be sent twice may have arrived, or were
/// carried out in another form than the workflow has now.
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
    return "a person must say what becomes of these requests: " + lines.joined(separator: ", ")
  }
}

/// A person's statement about a request whose outcome is unknown.
public enum Settlement: Sendable {
  /// It did not arrive, or may arrive twice: it is sent again.
  case again
  /// It need not be carried out: its row is `null`, and steps that need its values are skipped.
  case skip
  /// The request was carried out, with these values: the text of a JSON object.
  case done(values: [UInt8])
  /// The request was carried out, and the recorded answer is read again.
  case answered
}

extension Journal {
  /// Records a person's statement about a request whose outcome is unknown. It replaces earlier
  /// statements.
  ///
  /// - Parameters:
  ///   - request: A request of `RunInDoubt.requests`.
  ///   - settlement: What became of it.
  public func settle(_ request: SendingRecord, as settlement: Settlement) {
    var known = request
    switch settlement {
    case .again: known.state = .again
    case .answered: known.state = .done
    case .skip, .done: known.state = .settled
    }
    // From now on the record is that of the new request.
    if case .changed = request.state { append(.sending(known)) }
    let place = UnitKey(step: request.unit.step, place: request.unit.place, digest: nil)
    let outcome: UnitRecord.Outcome
    switch settlement {
    case .again, .answered: return append(.sent(request.id, known.state))
    case .skip: outcome = .skipped
    case .done(let values): outcome = .values(values)
    }
    append(
      .unit(
        UnitRecord(
          key: place, outcome: outcome, settled: [SettledRequest(request.id)], items: request.items)
      ))
  }
}

extension UnitKey {
  /// As people name it: `create[3]`, and inside a block with `forEach` `order.line[3][0]`, the
  /// position of the outermost item first.
  public var name: String {
    place.isEmpty ? step : step + "[" + place.map(String.init).joined(separator: "][") + "]"
  }
}
