/// Where a run writes down what happens in it, so that another process can go on with it.
///
/// A journal belongs to one run. The first process of the run finds it empty. A later one reads
/// what is in it (`history()`) and appends to it.
///
/// ```swift
/// pipeline.options.journal = MemoryJournal()
/// let first = try await pipeline.run().result
/// let second = try await pipeline.run().result  // sends only what the first did not
/// ```
///
/// Entries never hold a secret. A journal keeps them in the order in which they come.
public protocol Journal: Sendable {
  /// The entries of earlier processes of the run. The engine asks once, before it appends anything.
  ///
  /// - Throws: An error if it cannot be read. Then the run does not begin.
  func history() throws(JournalError) -> any JournalHistory

  /// Takes an entry and returns at once. If it cannot be kept, the next `commit` and `finish` say
  /// so.
  func append(_ entry: JournalEntry)

  /// Returns when this entry, and all before it, are kept.
  ///
  /// - Parameters:
  ///   - entry: The last of them.
  ///   - survival: The event that they must outlive from then on.
  /// - Throws: An error if they cannot be kept. The caller then must not do what it announced.
  func commit(_ entry: JournalEntry, surviving survival: JournalSurvival) async throws(JournalError)

  /// Returns when all entries so far are kept, or the reason why some are not.
  func finish() async -> JournalError?
}

/// The event that an entry of a journal must outlive.
public enum JournalSurvival: Sendable, Hashable, Comparable {
  /// The end of the process, however it comes.
  case process
  /// A loss of power.
  case power
}

/// The entries of earlier processes in a journal.
public protocol JournalHistory: Sendable {
  /// How the run began; `nil` if it has not, and there is nothing else either.
  var run: RunRecord? { get }
  /// The requests that may have reached a server, with an outcome that is unknown or unreadable
  /// (`SendingRecord.isOpen`).
  var sendings: [SendingRecord] { get }
  /// The number of the last request that must not be sent twice; 0: there was none.
  var lastSending: SendingRecord.ID { get }
  /// Whether `carriedOut()` has any.
  var hasCarriedOut: Bool { get }
  /// The pages of units that did not end, in any order.
  var pages: [PageRecord] { get }
  /// The questions that the last process left open.
  var questions: [AskedQuestion] { get }
  /// The files that the run was about to save, or has saved. Of a path the last one counts.
  var savedFiles: [SavedFile] { get }

  /// The next units whose end was recorded, in the order of their numbers, without failed ones;
  /// empty if there are none left.
  ///
  /// - Parameter id: Only units with greater numbers. The journal decides how many of them it gives
  ///   at once.
  func units(after id: RecordedUnit.ID) throws(JournalError) -> [RecordedUnit]

  /// The record of a unit; `nil` if there is none.
  ///
  /// - Complexity: O(bytes). Units are asked for about in the order in which they were recorded.
  func unit(_ id: RecordedUnit.ID) throws(JournalError) -> UnitRecord?

  /// The requests that must not be sent twice and are not among `sendings`: those that were carried
  /// out, and those that a person has settled.
  func carriedOut() throws(JournalError) -> [SendingRecord]

  /// The wanted ones of these requests. A run may have sent millions, and few of them are wanted.
  func carriedOut(
    where isWanted: (SendingRecord) -> Bool
  ) throws(JournalError) -> [SendingRecord]

  /// The answer to one of them; `nil` if it was not kept.
  func answer(of id: SendingRecord.ID) throws(JournalError) -> RecordedAnswer?
}

extension JournalHistory {
  /// The highest number among `sendings`.
  public var lastSending: SendingRecord.ID { sendings.map(\.id).max() ?? 0 }

  /// None: a question counts from when it is asked again.
  public var questions: [AskedQuestion] { [] }

  /// `false`: a journal that keeps none.
  public var hasCarriedOut: Bool { false }

  /// None. In such a journal a request that has changed is sent again.
  public func carriedOut() throws(JournalError) -> [SendingRecord] { [] }

  /// The requests of `carriedOut()` that are wanted.
  public func carriedOut(
    where isWanted: (SendingRecord) -> Bool
  ) throws(JournalError) -> [SendingRecord] {
    try carriedOut().filter(isWanted)
  }

  /// `nil` if no answer is kept.
  public func answer(of id: SendingRecord.ID) throws(JournalError) -> RecordedAnswer? { nil }
}

/// A unit in a journal, without its values: so that a million of them fit into memory.
public struct RecordedUnit: Sendable, Identifiable {
  /// Its number in the journal, from 1.
  public let id: Int
  /// `UnitKey.placeHash`
  public let placeHash: UInt64
  /// Its work; `nil` if a person settled it.
  public let digest: Fingerprint?

  /// A unit with this number in the journal.
  public init(id: Int, placeHash: UInt64, digest: Fingerprint?) {
    self.id = id
    self.placeHash = placeHash
    self.digest = digest
  }
}
