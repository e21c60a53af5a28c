public import PipelineTransports

/// A request that must not be sent twice: written down before its first byte leaves, and kept after
/// it was carried out.
public struct SendingRecord: Sendable, Identifiable {
  /// The known facts about such a request.
  public enum State: Sendable, Hashable {
    /// It is unknown whether the request has arrived.
    case unanswered
    /// The server answered with this status, and the unit has not succeeded.
    case answered(status: Int)
    /// It succeeded. Its result is secret, so it was not kept.
    case secret
    /// The request was carried out.
    case done
    /// A person said that it is to be sent again.
    case again
    /// A person said what it came to.
    case settled
    /// The request was carried out, and the workflow would now send another one in its place.
    /// Journals never have this state.
    case changed(Change)
  }

  /// A request as it was sent, where the workflow would send another one now.
  public struct Change: Sendable, Hashable {
    /// The request's name at that time: `create[3]`.
    public let unit: String
    /// The method of the request that was carried out; empty: an older journal does not say.
    public let method: String
    /// Its URL, secrets hidden.
    public let url: String
    /// The beginning of its body, secrets hidden; `nil` if it had none.
    public let body: String?
    /// Whether the request is the same, and only its answer was not kept.
    public let isSameRequest: Bool

    /// A request that was carried out.
    public init(
      unit: String, method: String, url: String, body: String?, isSameRequest: Bool = false
    ) {
      self.unit = unit
      self.method = method
      self.url = url
      self.body = body
      self.isSameRequest = isSameRequest
    }
  }

  /// How much of its answer is kept.
  public enum Kept: Sendable, Hashable, Comparable {
    /// Nothing.
    case nothing
    /// Status and header fields.
    case head
    /// Everything.
    case whole
  }

  /// Its number in the journal.
  public let id: Int
  /// The unit that the request belongs to.
  public package(set) var unit: UnitKey
  /// The method of the request.
  public package(set) var method: String
  /// The URL, secrets hidden.
  public package(set) var url: String
  /// The beginning of the body, secrets hidden; `nil` if it has none.
  public package(set) var body: String?
  /// The item that the request is for, in short and with secrets hidden: `customer: ann`.
  public package(set) var item: String?
  /// In seconds since 1970-01-01T00:00:00Z.
  public let time: Double
  /// The Idempotency-Key that it carries: with the same one it may be sent again.
  public let idempotencyKey: String?
  /// The fingerprint of method and body. Requests with equal fingerprints are the same.
  public package(set) var content: Fingerprint
  /// The fingerprint of the whole request, without secrets and credentials; `nil` in an older
  /// journal.
  public package(set) var request: Fingerprint?
  /// The fingerprint of the unit's item and the items around it; `nil` in an older journal.
  public package(set) var items: Fingerprint?
  /// The fingerprint of the items around the unit.
  public package(set) var around: Fingerprint?
  /// Whether it was sent by a step that cleans up, or perhaps was: an older journal does not say.
  public let isOfCleanUp: Bool
  /// The known facts about the request.
  public var state: State
  /// How much of its answer the journal has.
  public var kept: Kept
  /// The number of the process that sent it, from 1; `nil` if the journal does not say.
  public let process: Int?
  /// The number of requests that the process had sent, this one included; 0 if unknown.
  public let requests: Int

  /// A record of a request that is about to leave.
  public init(
    id: Int, unit: UnitKey, method: String, url: String, body: String? = nil, item: String? = nil,
    time: Double, idempotencyKey: String?, content: Fingerprint, request: Fingerprint? = nil,
    items: Fingerprint? = nil, around: Fingerprint? = nil, state: State = .unanswered,
    kept: Kept = .nothing, process: Int? = nil, requests: Int = 0, isOfCleanUp: Bool = false
  ) {
    self.id = id
    self.unit = unit
    self.method = method
    self.url = url
    self.body = body
    self.item = item
    self.time = time
    self.idempotencyKey = idempotencyKey
    self.content = content
    self.request = request
    self.items = items
    self.around = around
    self.state = state
    self.kept = kept
    self.process = process
    self.requests = requests
    self.isOfCleanUp = isOfCleanUp
  }

  /// The same request, as a process of this number has sent it.
  init(_ record: SendingRecord, process: Int?) {
    self.init(
      id: record.id, unit: record.unit, method: record.method, url: record.url, body: record.body,
      item: record.item, time: record.time, idempotencyKey: record.idempotencyKey,
      content: record.content, request: record.request, items: record.items,
      around: record.around, state: record.state, kept: record.kept, process: process,
      requests: record.requests, isOfCleanUp: record.isOfCleanUp)
  }

  /// Whether a person must say what becomes of it before anything is sent.
  public var isInDoubt: Bool {
    switch state {
    case .unanswered, .secret: idempotencyKey == nil
    case .answered: idempotencyKey == nil && kept == .nothing
    case .changed: true
    case .done, .again, .settled: false
    }
  }

  /// Whether `JournalHistory.sendings` contains it: its outcome is unknown, or its result is lost.
  public var isOpen: Bool {
    switch state {
    case .unanswered, .secret: true
    case .answered: kept == .nothing
    case .done, .again, .settled, .changed: false
    }
  }
}

/// An answer that a journal keeps. It has no secret in it.
public struct RecordedAnswer: Sendable {
  /// The status code.
  public let status: Int
  /// The header fields, without cookies and others that hold a secret.
  public let headers: [HeaderField]
  /// The body after content decoding; `nil` if it was not kept.
  public let body: [UInt8]?
  /// The URL that answered, after redirects.
  public let url: String

  /// An answer to a request.
  public init(status: Int, headers: [HeaderField], body: [UInt8]?, url: String) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }

  /// How much of the answer this is.
  public var kept: SendingRecord.Kept { body == nil ? .head : .whole }
}
