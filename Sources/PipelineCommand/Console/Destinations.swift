internal import PipelineByteText

/// Where a run writes, apart from the console. Each place is checked before anything is sent.
struct Destinations: Sendable {
  let output: AtomicFile?
  let events: EventsFile?

  /// - Parameters:
  ///   - output: The file for the outputs.
  ///   - events: The file for the events.
  init(output: String?, events: String?) throws(PathProblem) {
    self.output = if let output { try AtomicFile(path: output) } else { nil }
    if let events, events.equals(bytes: "-") {
      throw PathProblem(
        path: events, reason: "stdout is for the outputs; name a file, or /dev/stderr")
    }
    self.events = if let events { try EventsFile(path: events) } else { nil }
  }
}
