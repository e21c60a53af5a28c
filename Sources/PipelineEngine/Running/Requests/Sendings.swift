internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelinePlanning
internal import Synchronization

/// The requests of one unit that must not be sent twice, from before they leave until the unit's
/// end is written down.
final class Sendings: Sendable {
  /// Such a request.
  final class Sending: Sendable {
    let record: SendingRecord
    /// Lets the request end if its unit is cancelled.
    private let grace: Grace?
    private let hasLeftFlag = Atomic<Bool>(false)
    /// The status of a response that was cut off; 0 if there was none.
    private let partialStatus = Atomic<Int>(0)

    init(_ record: SendingRecord, _ grace: Grace?) {
      self.record = record
      self.grace = record.idempotencyKey == nil ? grace : nil
    }

    var id: Int { record.id }
    /// Whether it may be sent again with its Idempotency-Key.
    var isKeyed: Bool { record.idempotencyKey != nil }

    /// Whether a byte of it may have left.
    var hasLeft: Bool { hasLeftFlag.load(ordering: .relaxed) }

    /// Whether it may leave now. If its unit is cancelled before that, it must not.
    func mayLeave() -> Bool { grace?.hold() ?? true }

    /// Returns whether it leaves for the first time: it was counted when it was written down.
    func leave() -> Bool { !hasLeftFlag.exchange(true, ordering: .relaxed) }

    /// Its outcome is written down.
    fileprivate func release() { grace?.release() }

    /// The header of a response came, and then it failed.
    func noteAnswer(status: Int) { partialStatus.store(status, ordering: .relaxed) }

    /// The status of a response that was cut off; `nil` if there was none.
    fileprivate var statusOfPart: Int? {
      let status = partialStatus.load(ordering: .relaxed)
      return status > 0 ? status : nil
    }
  }

  /// A request that a server has answered.
  struct Answered: Sendable {
    let id: Int
    let status: Int
    /// The request's new record, if this process read its recorded answer again.
    var readAgain: SendingRecord?
    /// The answer, if this process received it, and the journal may keep it.
    var answer: RecordedAnswer?
  }

  private struct State {
    var answered: [Answered] = []
    /// The last request, if the server said that it did not do it.
    var refused: (record: SendingRecord, answer: RecordedAnswer?)?
    /// The last request that was carried out and redirects to what came of it.
    var redirected: Int?
    var unansweredCount = 0
    /// The numbers of requests with an Idempotency-Key, which each attempt has in common.
    var keyed: [Fingerprint: Int] = [:]
    /// The numbers of those that had an attempt without a clear answer, in whatever process.
    var lost: Set<Int> = []
  }

  let key: UnitKey
  private let unit: Unit
  private let journal: UnitJournal
  private let state = Mutex(State())
  /// The answers that earlier processes have received to its requests; `nil` if none is read again.
  let replay: AnswerReplay?
  /// Whether a look-up finds out what became of them, so that no person need do so.
  private let settlesItself: Bool
  /// The request that another unit had under way in an earlier process, and that this one goes on
  /// with.
  private let inherited: SendingRecord?

  init(_ unit: Unit, _ journal: UnitJournal) {
    key = journal.fingerprints.key(of: unit)
    self.unit = unit
    self.journal = journal
    replay = journal.answers.take(for: unit)
    inherited = journal.answers.takeInherited(by: unit)
    settlesItself = unit.stepPlan.request?.lookUp != nil
  }

  /// The number of requests with an unknown outcome.
  var unansweredCount: Int { state.withLock { $0.unansweredCount } }

  /// Returns the answered requests and assigns them to a page or a poll that has ended.
  ///
  /// - Parameter isExpected: Whether the last answer was accepted, whatever its status.
  func takeAnswered(isExpected: Bool = false) -> [Answered] {
    if isExpected { acceptRefused() }
    return state.withLock { state in
      defer { state.answered = [] }
      return state.answered
    }
  }

  /// The step expects the status of the last answer, though it says that nothing was done.
  private func acceptRefused() {
    guard let (record, answer) = state.withLock({ $0.refused }) else { return }
    var known = record
    known.state = .done
    journal.journal.append(.sending(known))
    state.withLock { state in
      state.refused = nil
      state.answered.append(
        Answered(id: record.id, status: answer?.status ?? 400, answer: answer))
    }
  }

  /// Earlier responses are of no further interest.
  func settleAnswered() {
    for sending in takeAnswered() { journal.journal.append(.sent(sending.id, nil)) }
  }

  // MARK: Look-ups

  /// The request of an earlier process that the unit is to settle; `nil` if there is none. It is
  /// given once.
  func takeDoubt() -> SendingRecord? {
    guard let inherited, inherited.isInDoubt else { return journal.takeDoubt(of: key) }
    journal.takeDoubt(inherited)
    return inherited
  }

  /// The look-up failed: the outcome of a request is unknown.
  func leaveInDoubt() { state.withLock { $0.unansweredCount += 1 } }

  /// A look-up has shown what became of a request of an earlier process.
  ///
  /// - Parameter status: That of the look-up's answer if the request was carried out; `nil` if it
  ///   was not, and may be sent.
  func settle(_ doubt: SendingRecord, status: Int?) {
    guard let status else { return journal.journal.append(.sent(doubt.id, nil)) }
    answered(Answered(id: doubt.id, status: status))
  }

  /// The same of a request of this process, which was not answered, or with a 5xx.
  func settle(_ sending: Sending, status: Int?) {
    guard sending.hasLeft, sending.statusOfPart.map({ $0 >= 500 }) ?? true else { return }
    settle(sending.record, status: status)
  }

  // MARK: Answers that are read again

  /// The recorded answer to a request of the unit; `nil` if it is to be sent.
  func recordedAnswer(
    to parts: RequestBuilder.Parts, of step: RequestStep
  ) throws(FailureReason) -> RecordedAnswer? {
    guard let replay, !HTTPMethod.isIdempotent(parts.method) else { return nil }
    let form = RequestForm(parts, of: step, journal.fingerprints)
    guard let (record, answer) = try replay.answer(to: form) else { return nil }
    var known = record
    known.unit = key
    known.items = unit.items
    known.around = unit.frame.lineage
    known.state = .done
    state.withLock { state in
      state.answered.append(Answered(id: record.id, status: answer.status, readAgain: known))
    }
    return answer
  }

  /// Writes down that a request is about to leave. Returns when that survives a loss of power.
  ///
  /// - Throws: A failure if it cannot be written down: then the request must not leave.
  func begin(
    _ parts: RequestBuilder.Parts, of step: RequestStep, time: Double, _ grace: Grace?
  ) async throws(FailureReason) -> Sending {
    let (form, items) = (RequestForm(parts, of: step, journal.fingerprints), unit.items)
    let idempotencyKey = parts.headers.idempotencyKey
    let repeated = state.withLock { $0.keyed[form.content] }
    let kept = repeated == nil ? kept(content: form.content, url: { form.url })?.id : nil
    let known = repeated ?? kept ?? journal.answers.takeReplaced(by: unit)
    let requests = journal.countRequest()
    let sending = Sending(
      SendingRecord(
        id: known ?? journal.nextSendingID(), unit: key, method: parts.method, url: form.url,
        body: form.body, item: RequestForm.item(of: unit, step.redactor), time: time,
        idempotencyKey: idempotencyKey, content: form.content, request: form.digest, items: items,
        around: unit.frame.lineage, requests: requests, isOfCleanUp: unit.isCleanUp), grace)
    state.withLock { state in
      state.refused = nil
      guard sending.isKeyed else { return }
      state.keyed[form.content] = sending.id
      // An earlier process had no answer to it.
      if let kept { state.lost.insert(kept) }
    }
    do throws(JournalError) {
      try await journal.journal.commit(.sending(sending.record), surviving: .power)
    } catch {
      journal.discountRequest()
      throw FailureReason(
        .file,
        "\(error.message), so the request was not sent: after a crash nobody could know of it")
    }
    return sending
  }

  /// The outcome of a request.
  ///
  /// - Parameter answer: `nil` if there was none, or not all of it.
  func end(_ sending: Sending, _ answer: RequestRun.Answer?) {
    if let answer {
      let status = answer.response.status
      let kept = journal.keepable(answer, of: unit)
      guard Self.isCarriedOut(status) else {
        // The step may expect it all the same.
        if status >= 400 { state.withLock { $0.refused = (sending.record, kept) } }
        return refused(sending, status)
      }
      answered(Answered(id: sending.id, status: status, answer: kept))
    } else if let status = sending.statusOfPart {
      guard Self.isCarriedOut(status) else { return refused(sending, status) }
      answered(Answered(id: sending.id, status: status))
    } else if sending.hasLeft {
      state.withLock { state in
        if sending.isKeyed {
          state.lost.insert(sending.id)
        } else if !settlesItself {
          state.unansweredCount += 1
        }
      }
      sending.release()
    } else {
      takeBack(sending)
    }
  }

  /// A request did not leave, or the server has certainly not processed it.
  func takeBack(_ sending: Sending) {
    if !sending.hasLeft { journal.discountRequest() }
    forget(sending)
  }

  /// A request was answered with a redirect that is now followed.
  func redirect(_ sending: Sending, status: Int) {
    guard Self.isCarriedOut(status) else { return forget(sending) }
    answered(Answered(id: sending.id, status: status))
    state.withLock { $0.redirected = sending.id }
    // The next request may take long. If the process ends before, this is what is known.
    journal.journal.append(.sent(sending.id, .answered(status: status)))
  }

  /// The answer at the end of redirects came. It is the one to read again.
  func endRedirects(_ answer: RequestRun.Answer) {
    guard let id = state.withLock({ $0.redirected.take() }), answer.response.status < 400 else {
      return
    }
    let kept = journal.keepable(answer, of: unit)
    state.withLock { state in
      guard let index = state.answered.lastIndex(where: { $0.id == id }) else { return }
      state.answered[index].answer = kept
    }
  }

  private func answered(_ answered: Answered) {
    state.withLock { state in
      state.refused = nil
      state.answered.append(answered)
    }
  }

  /// The server says that it did not do it. Behind a 5xx it may have been done all the same, which a
  /// look-up will show, or another attempt with the same Idempotency-Key.
  private func refused(_ sending: Sending, _ status: Int) {
    if sending.isKeyed, status >= 500 {
      state.withLock { _ = $0.lost.insert(sending.id) }
    } else if status >= 500, settlesItself {
      journal.journal.append(.sent(sending.id, .answered(status: status)))
      return sending.release()
    }
    forget(sending)
  }

  /// The request was not carried out this time. What is known of it stays if an earlier attempt with
  /// the same Idempotency-Key may have been: the next one needs the key.
  private func forget(_ sending: Sending) {
    if !state.withLock({ $0.lost.contains(sending.id) }) {
      journal.journal.append(.sent(sending.id, nil))
    }
    sending.release()
  }

  /// Whether a request may have been carried out by the server that answered so. With 4xx or 5xx it
  /// says that it did not do it, and with 307 or 308 that another is to do it (RFC 9110 §15.4.8).
  static func isCarriedOut(_ status: Int) -> Bool {
    status < 400 && status != 307 && status != 308
  }

  /// The key with which an equal request was about to be sent by an earlier process.
  ///
  /// - Parameter url: Without secrets.
  func keptKey(for parts: RequestBuilder.Parts, url: @autoclosure () -> String) -> String? {
    if unit.frame.isLaterAttempt { return nil }
    return kept(content: RequestForm.content(of: parts), url: url)?.idempotencyKey
  }

  /// The request with a key that an earlier process had under way.
  private func kept(content: Fingerprint, url: () -> String) -> SendingRecord? {
    if let inherited, inherited.idempotencyKey != nil, inherited.content == content {
      return inherited
    }
    return journal.kept(key, items: unit.items, content: content, url: url)
  }
}

extension [HeaderField] {
  /// The `Idempotency-Key` among them.
  var idempotencyKey: String? {
    first { $0.name.equalsIgnoringASCIICase("idempotency-key") }?.value
  }
}
