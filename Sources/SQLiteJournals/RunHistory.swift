public import PipelineJournals

/// The history of a run by its journal, for people.
public struct RunHistory: Sendable {
  /// One step with requests or waits.
  public struct Step: Sendable {
    /// The step's id after the ids of the blocks and calls around it, joined with dots.
    public let path: String
    /// Units that ended well.
    public let done: Int
    /// Units that ended badly, and have not ended well since.
    public let failed: Int
    /// How long a unit took, from its beginning to its end, pauses included: half of them took no
    /// longer.
    public let median: Duration
    /// 95 of 100 took no longer.
    public let high: Duration
    /// How long the slowest unit took.
    public let longest: Duration
  }

  /// A failure of one unit.
  public struct Failed: Sendable {
    /// The unit's name: `create[3]`.
    public let unit: String
    /// The message of the failure.
    public let message: String
  }

  /// How many processes have carried the run out.
  public let processes: Int
  /// In the order in which their first units ended.
  public let steps: [Step]
  /// The first 100 failures of units that have not ended well since.
  public let failures: [Failed]
  /// The requests with an unknown outcome.
  public let doubts: [SendingRecord]
}

extension RunStore {
  /// The history of a run by its journal.
  ///
  /// - Parameter id: The whole id of a run.
  /// - Returns: What its processes have recorded.
  /// - Throws: An error if the run does not exist, if a process is carrying it out, or if its
  ///   journal cannot be read.
  public func history(id: String) throws(JournalError) -> RunHistory {
    try RunFolder.reading(try folder(of: id)) { file throws(JournalError) in try file.history() }
  }

  /// As much of a run's id as no other run in the store has: four characters or more.
  public func shortID(of id: String) -> String { shortID(of: id, among: ids()) }

  /// The short form of an id, if the ids of the store are known.
  package func shortID(of id: String, among ids: [String]) -> String {
    let others = ids.filter { !$0.utf8.elementsEqual(id.utf8) }
    var length = min(4, id.utf8.count)
    while length < id.utf8.count,
      others.contains(where: { $0.utf8.prefix(length).elementsEqual(id.utf8.prefix(length)) })
    {
      length += 1
    }
    return String(decoding: id.utf8.prefix(length), as: UTF8.self)
  }
}
