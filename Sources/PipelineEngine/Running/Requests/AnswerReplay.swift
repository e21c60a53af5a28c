internal import Synchronization

/// The recorded answers that one unit reads again instead of sending its requests.
final class AnswerReplay: Sendable {
  private let history: any JournalHistory
  /// The recorded requests that have answered no request yet, in the order in which they were sent.
  private let left: Mutex<[SendingRecord]>
  /// Whether some of the unit's pages are known already.
  private let hasPages = Atomic<Bool>(false)

  init(_ records: [SendingRecord], _ history: any JournalHistory) {
    left = Mutex(records)
    self.history = history
  }

  /// Other pages of the unit were read before. The answers to them stay where they are.
  func passOverPages() { hasPages.store(true, ordering: .relaxed) }

  /// The answer to a request, which is not given again; `nil` if nothing like it was carried out.
  ///
  /// - Throws: A failure if the unit has carried out other requests, and this may be one of them in
  ///   another form.
  func answer(
    to form: RequestForm
  ) throws(FailureReason) -> (record: SendingRecord, answer: RecordedAnswer)? {
    let record: SendingRecord? = left.withLock { left in
      guard let index = left.firstIndex(where: { $0.request == form.digest }) else { return nil }
      return left.remove(at: index)
    }
    guard let record else {
      if hasPages.load(ordering: .relaxed) { return nil }
      guard let other = left.withLock({ $0.first }) else { return nil }
      throw FailureReason(
        .file,
        "another request was carried out in its place, \(other.method) \(other.url), and must not be"
          + " sent twice; '--again \(other.unit.step)' sends all requests of the step again")
    }
    do throws(JournalError) {
      guard let answer = try history.answer(of: record.id) else {
        throw JournalError("the answer that the journal had of it is lost")
      }
      return (record, answer)
    } catch {
      throw FailureReason(.file, error.message)
    }
  }
}

/// What is known of the units that the scheduler has decided about: the answers that they read
/// again, and the requests that theirs replace or go on with.
final class UnitAnswers: Sendable {
  private struct State {
    var replays: [Int: AnswerReplay] = [:]
    var replaced: [Int: SendingRecord.ID] = [:]
    var inherited: [Int: SendingRecord] = [:]
  }

  private let state = Mutex(State())
  /// Most runs have none.
  private let isUsed = Atomic<Bool>(false)

  /// The unit reads these answers.
  func give(_ replay: AnswerReplay, to unit: Unit) {
    state.withLock { $0.replays[unit.serial] = replay }
    isUsed.store(true, ordering: .releasing)
  }

  /// The unit's request is sent in place of one that a person wants sent again.
  func replace(_ id: SendingRecord.ID, by unit: Unit) {
    state.withLock { $0.replaced[unit.serial] = id }
    isUsed.store(true, ordering: .releasing)
  }

  /// The unit goes on with a request that an earlier process had under way.
  func inherit(_ record: SendingRecord, by unit: Unit) {
    state.withLock { $0.inherited[unit.serial] = record }
    isUsed.store(true, ordering: .releasing)
  }

  func isGiven(to unit: Unit) -> Bool { state.withLock { $0.replays[unit.serial] != nil } }

  func take(for unit: Unit) -> AnswerReplay? {
    guard isUsed.load(ordering: .acquiring) else { return nil }
    return state.withLock { $0.replays.removeValue(forKey: unit.serial) }
  }

  func takeInherited(by unit: Unit) -> SendingRecord? {
    guard isUsed.load(ordering: .acquiring) else { return nil }
    return state.withLock { $0.inherited.removeValue(forKey: unit.serial) }
  }

  func takeReplaced(by unit: Unit) -> SendingRecord.ID? {
    guard isUsed.load(ordering: .acquiring) else { return nil }
    return state.withLock { $0.replaced.removeValue(forKey: unit.serial) }
  }
}
