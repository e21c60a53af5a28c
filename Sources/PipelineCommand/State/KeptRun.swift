internal import ByteText
internal import PipelineKit
internal import SQLiteJournals

/// A run whose journal is in a store.
struct KeptRun: Sendable {
  let store: RunStore
  let id: String
  let journal: SQLiteJournal

  /// The id as people type it.
  var shortID: String { store.shortID(of: id) }

  /// Begins the journal of a new run; `nil`: nothing is to be kept, or can be.
  ///
  /// - Throws: An error if the store was asked for by name and cannot be used.
  static func begin(
    in location: StoreLocation, _ settings: RunSettings, _ console: Console, isQuiet: Bool
  ) throws(JournalError) -> KeptRun? {
    guard case .folder(let folder, let isNamed) = location else { return nil }
    let store = RunStore(path: folder + "/runs")
    let id = Run.randomID()
    do throws(JournalError) {
      let journal = try store.create(id: id, details: settings.details)
      return KeptRun(store: store, id: id, journal: journal)
    } catch {
      if isNamed { throw error }
      if !isQuiet {
        console.error.write("note: nothing of this run is kept: \(error.message)\n")
      }
      return nil
    }
  }

  // MARK: What is in doubt

  /// How many of them are listed after a run.
  private static let shownDoubts = 20

  /// The requests that nobody knows the outcome of, each on a line, and the way out.
  static func doubtText(
    _ requests: [SendingRecord], of id: String, shows shownDoubts: Int = shownDoubts
  ) -> String {
    var text = ""
    for request in requests.prefix(shownDoubts) {
      text += "  \(request.unit.name)  \(request.method) \(request.url)  \(reason(request))\n"
    }
    guard let first = requests.first else { return "" }
    if requests.count > shownDoubts {
      text += "  and \(requests.count - shownDoubts) more: 'pipeline runs show \(id)' has all\n"
    }
    return "in doubt, because it may have been carried out and must not be sent twice:\n" + text
      + "Look at the server, then say what became of each:\n"
      + "  pipeline resume \(id) --settle '\(first.unit.name)=again'   to send it again\n"
      + "  pipeline resume \(id) --settle '\(first.unit.name)=skip'    to leave it out\n"
      + "  pipeline resume \(id) --settle '\(first.unit.name)=done'    if it was carried out;"
      + " --values gives what it extracts\n"
  }

  private static func reason(_ request: SendingRecord) -> String {
    let time = "at " + Timestamp(secondsSince1970: request.time).text
    return switch request.state {
    case .unanswered: "sent \(time), and no answer was received"
    case .answered(let status):
      "sent \(time) and answered with status \(status), and the step failed all the same"
    case .secret: "sent \(time); it succeeded, and the secret that it gave is not kept"
    }
  }
}
