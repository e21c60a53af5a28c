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
    /// What it has in common with items that are alike.
    let parts: Set<[UInt8]>
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
      parts = CarriedOutRequests.parts(of: item)
      mayRepeat = unit.stepPlan.request?.request.retry.unsafe == true
    }

    /// Whether the item has a part of the one that a request was for.
    func isAlike(_ request: SendingRecord) -> Bool {
      !parts.isDisjoint(with: CarriedOutRequests.parts(of: request.item))
    }
  }

  /// The parts of an item in short, such as `customer: ann`.
  static func parts(of item: String?) -> Set<[UInt8]> {
    Set((item ?? "").utf8.split(separator: UInt8(ascii: ",")).map(Array.init))
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

  /// Reads the answers of a group again. If they were not kept, a person must decide.
  static func reading(_ held: Held, _ group: Group, isMoved: Bool = false) -> Decision {
    let former = isMoved ? group.key.step : nil
    if group.isUnderWay {
      let record = group.records[0]
      return held.form.goesOn(with: record, in: held.unit)
        ? .resume(record, from: former) : .ask(record.inDoubt)
    }
    if let settlement = group.settlement { return .take(settlement, from: former) }
    let wantsBody = held.unit.stepPlan.request?.wantsBody == true
    let isKept = group.records.allSatisfy { $0.kept == .whole || $0.kept == .head && !wantsBody }
    if isKept { return .read(group.records, from: former) }
    return held.mayRepeat ? .send(nil) : .ask(question(held, group))
  }

  /// What a person is asked: the new request, and the one that was carried out.
  static func question(_ held: Held, _ group: Group) -> SendingRecord {
    let old = group.records[0]
    if group.isUnderWay { return old.inDoubt }
    return SendingRecord(
      id: old.id, unit: held.key, method: held.form.method, url: held.form.url,
      body: held.form.body, item: held.item, time: old.time, idempotencyKey: nil,
      content: held.form.content, request: held.form.digest, items: held.items,
      around: held.unit.frame.lineage,
      state: .changed(
        SendingRecord.Change(
          unit: old.unit.name, method: old.method, url: old.url, body: old.body,
          isSameRequest: old.request == held.form.digest)),
      kept: group.records.map(\.kept).min() ?? .nothing, process: old.process,
      isOfCleanUp: old.isOfCleanUp)
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
