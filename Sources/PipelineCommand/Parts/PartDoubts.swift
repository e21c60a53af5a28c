internal import PipelineByteText
internal import PipelineKit
internal import PipelinePlanning
internal import SQLiteJournals

/// The requests in doubt of some steps of a run in parts. While it exists, none of these parts is
/// carried out.
struct PartDoubts: ~Copyable {
  private struct Opened {
    let part: PartFolder.Part
    let lease: PartLease
    let journal: SQLiteJournal
    let doubts: [SendingRecord]
    let settled: [SendingRecord]
  }

  private let opened: [Opened]

  /// - Parameter steps: The names of the folders of steps.
  /// - Throws: A problem if a process is at work on one of the parts.
  init(of steps: [String], in folder: PartFolder) throws {
    var opened: [Opened] = []
    for part in steps.flatMap({ folder.parts(of: $0, having: "journal-", ".sqlite") }) {
      let lease: PartLease
      do {
        lease = try PartLease(path: part.leasePath)
      } catch let holder as PartLease.Holder {
        throw PartFolder.Problem(
          description: "process \(holder.process) on \(holder.host) carries out part"
            + " '\(part.step)' \(part.shard.index)/\(part.shard.count); settle when it has ended")
      }
      let journal = try SQLiteJournal(path: part.journalPath)
      let history = try journal.history()
      let doubts = history.sendings.filter(\.isInDoubt)
      let settled = try SettlementOptions.settled(in: history)
      opened.append(
        Opened(part: part, lease: lease, journal: journal, doubts: doubts, settled: settled))
    }
    self.opened = opened
  }

  deinit {
    for part in opened { part.journal.close() }
  }

  /// All of them.
  var requests: [SendingRecord] { opened.flatMap(\.doubts) }

  /// Writes down what a person says of them, or of those settled before. Either all of it is
  /// written, or nothing.
  ///
  /// - Returns: The requests that are still in doubt.
  func settle(_ options: SettlementOptions, _ plan: Plan) async throws -> [SendingRecord] {
    let settled = try options.settlements(
      of: requests, settled: opened.flatMap(\.settled), plan)
    for part in opened {
      let own = settled.filter { request, _ in
        (part.doubts + part.settled).contains {
          $0.id == request.id && $0.unit == request.unit && $0.time == request.time
        }
      }
      if !own.isEmpty { try await SettlementOptions.write(own, to: part.journal) }
    }
    return try opened.flatMap { try $0.journal.history().sendings.filter(\.isInDoubt) }
  }
}
