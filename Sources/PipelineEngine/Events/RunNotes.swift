internal import Synchronization

/// Notes of a run for people, each once.
final class RunNotes: Sendable {
  private let events: EventSink?
  let redactor: Redactor
  private let noted = Mutex<Set<Noted>>([])

  private struct Noted: Hashable {
    let step: String
    let message: String
  }

  init(_ events: EventSink?, _ redactor: Redactor) {
    self.events = events
    self.redactor = redactor
  }

  /// Where events go; `nil` while they are not wanted.
  var sink: EventSink? { events?.isWanted == true ? events : nil }

  /// Tells how the run ended, which also late listeners want to know.
  func emitEnd(_ report: RunReport) { events?.emit(.runFinished(report)) }

  /// Notes what is worth knowing of the run as a whole.
  func note(_ message: String) {
    sink?.emit(.note(RunEvent.Note(message: redactor.redact(message))))
  }

  /// Notes what many requests of a step may have in common, once.
  ///
  /// - Parameter secrets: Those of the step, which the message may hold.
  func noteOnce(
    _ message: @autoclosure () -> String, step: String,
    hiding secrets: @autoclosure () -> KnownSecrets
  ) {
    guard let sink else { return }
    let message = redactor.redact(secrets().masked(message()))
    let isNew = noted.withLock { noted in
      // A hostile server could name ever new origins.
      noted.count < 1000 && noted.insert(Noted(step: step, message: message)).inserted
    }
    if isNew { sink.emit(.note(RunEvent.Note(step: step, message: message))) }
  }
}
