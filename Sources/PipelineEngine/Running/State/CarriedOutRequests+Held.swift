internal import PipelineByteText
internal import PipelineLanguage
internal import PipelinePlanning

extension CarriedOutRequests {
  /// A unit that is held back, and the request that it would begin with.
  struct Held {
    let unit: Unit
    let form: RequestForm
    let key: UnitKey
    let items: Fingerprint
    /// The item in short, for people.
    let item: String?
    /// Whether the author lets it be sent twice.
    let mayRepeat: Bool
    /// Whether it repeats what cleaned up before, so that only main steps stand for it.
    let onlyMain: Bool
    /// Where in the journal's list the item stood that followed the one before this.
    let follower: [Int]?

    init(
      _ unit: Unit, _ form: RequestForm, _ fingerprints: UnitFingerprints, _ redactor: Redactor,
      onlyMain: Bool, follower: [Int]?
    ) {
      self.onlyMain = onlyMain
      self.follower = follower
      self.unit = unit
      self.form = form
      key = fingerprints.key(of: unit)
      items = unit.items
      item = RequestForm.item(of: unit, redactor)
      mayRepeat = unit.stepPlan.request?.request.retry.unsafe == true
    }

    /// Whether the item has a part of the one that a request was for.
    func isAlike(_ request: SendingRecord) -> Bool {
      guard let item, let other = request.item else { return false }
      let comma = UInt8(ascii: ",")
      let parts = Set(other.utf8.split(separator: comma).map(Array.init))
      return item.utf8.split(separator: comma).contains { parts.contains(Array($0)) }
    }
  }

  /// What becomes of a held unit.
  enum Decision {
    /// It is carried out, in place of a request that a person wants sent again, if there is one.
    case send(SendingRecord.ID?)
    /// It goes on with a request that was under way. `from`: the name of the step that it was, if that
    /// is gone.
    case resume(SendingRecord, from: String?)
    /// It reads recorded answers again. `from`: the name of the step that it was, if that is gone.
    case read([SendingRecord], from: String?)
    /// It comes to what a person said. `from`: the name of the step that it was, if that is gone.
    case take(UnitRecord, from: String?)
    /// A person must decide about it. The record is of the new request.
    case ask(SendingRecord)
  }
}

extension RequestForm {
  /// Whether a unit that would send this request finds out what became of one that was under way: it
  /// sends the same one with the same Idempotency-Key, or looks it up.
  func goesOn(with record: SendingRecord, in unit: Unit) -> Bool {
    guard let request = unit.stepPlan.request?.request,
      record.request.map({ $0 == digest }) ?? (record.content == content)
    else { return false }
    guard let key = record.idempotencyKey else { return request.settle != nil }
    return idempotencyKey.map { $0 == key } ?? RetrySchedule(request).needsKey
  }
}

extension SendingRecord {
  /// The same request, in doubt: no unit can find out what became of it.
  var inDoubt: SendingRecord {
    SendingRecord(
      id: id, unit: unit, method: method, url: url, body: body, item: item, time: time,
      idempotencyKey: nil, content: content, request: request, items: items, around: around,
      state: state, kept: kept, process: process, requests: requests, isOfCleanUp: isOfCleanUp)
  }
}
