internal import PipelineFormats
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTransports
internal import Synchronization

/// Looks at the server-sent events of one response while they come: reports each, and ends the
/// response with the one for which `until` holds.
final class EventWatch: BodyReceiver {
  private struct State {
    var phase = Phase.unseen
    var reader = EventReader()
    var failure: FailureReason?
  }

  private enum Phase {
    /// No byte of the body has been seen.
    case unseen
    /// The events of the body are looked at.
    case reading
    /// The body is none that the step reads as events.
    case other
    /// The body is packed, so that nothing in it can be looked at before it is whole.
    case packed
    /// The event that ends the stream has come.
    case done
  }

  private let step: RequestStep
  private let until: Written<Condition>?
  private let attempt: Int
  private let sink: EventSink?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - until: Holds for the last event; `nil` if the stream ends by itself.
  ///   - attempt: The number of the attempt, from 1.
  ///   - sink: Where events go; `nil` if nowhere.
  init(_ step: RequestStep, until: Written<Condition>?, attempt: Int, _ sink: EventSink?) {
    self.step = step
    self.until = until
    self.attempt = attempt
    // In an event, a secret that an extractor finds may be spelled in any way.
    self.sink = step.plan.hasSecretExtractors ? nil : sink
  }

  /// Why the condition could not be judged.
  var failure: FailureReason? { state.withLock { $0.failure } }

  func begin(_ response: TransportResponse) {
    let isRead = isRead(response)
    state.withLock { state in
      state = State()
      state.phase = isRead ? .reading : .other
    }
  }

  /// Whether the step reads the response as events. One of another kind is judged when it is whole.
  private func isRead(_ response: TransportResponse) -> Bool {
    step.reading(status: response.status) != nil
      && !BodyFormat.events.isRefused(contentType: response.header("content-type") ?? "")
  }

  func take(_ piece: UnsafeRawBufferPointer) -> BodyVerdict {
    state.withLock { state in
      guard case .reading = state.phase else { return .goesOn }
      return piece.withMemoryRebound(to: UInt8.self) { look(at: $0, &state) }
    }
  }

  private func look(at piece: UnsafeBufferPointer<UInt8>, _ state: inout State) -> BodyVerdict {
    if piece.first == GzipReader.magicNumber[0], !state.reader.hasBegun {
      state.phase = .packed
      return .goesOn
    }
    var position = 0
    while position < piece.count {
      var rows = RowText(.lines)
      // Without a limit, an event is never too large: the body is limited as a whole.
      guard let end = try? state.reader.readEvent(of: piece, from: position, to: &rows) else {
        return .goesOn
      }
      position = end
      guard rows.count > 0 else { continue }
      var row = rows.takeLines()
      row.removeLast()
      report(row)
      guard let until else { continue }
      do throws(FailureReason) {
        guard try step.holds(until, ofEvent: row) else { continue }
      } catch {
        state.failure = error
      }
      state.phase = .done
      return .ends(keeping: position)
    }
    return .goesOn
  }

  private func report(_ row: [UInt8]) {
    guard let sink else { return }
    let unit = step.unit
    sink.emit(
      .eventReceived(
        RunEvent.EventReceived(
          step: unit.label.id, path: unit.label.path, item: unit.item, attempt: attempt,
          row: step.redactor.redact(json: row))))
  }

  func end(_ response: inout TransportResponse) throws(TransportError) {
    if case .unseen = state.withLock({ $0.phase }) {
      begin(response)
      if case .ends(let count) = response.body.withUnsafeBytes({ take($0) }) {
        response.body.removeSubrange(count...)
      }
    }
    let (phase, failure) = state.withLock { ($0.phase, $0.failure) }
    if failure != nil { throw TransportError(.other, "'until' cannot be judged") }
    guard let until else { return }
    switch phase {
    case .done, .other: return
    case .packed:
      throw TransportError(
        .decoding, "the stream is gzip without 'Content-Encoding', in which 'until' sees no event")
    case .unseen, .reading:
      throw TransportError(
        .interrupted, "the stream ended before an event for which '\(until.value.text)' holds")
    }
  }
}

extension RequestStep {
  /// Whether a condition holds of a server-sent event.
  ///
  /// - Parameter row: The event as JSON text.
  fileprivate func holds(
    _ condition: Written<Condition>, ofEvent row: [UInt8]
  ) throws(FailureReason) -> Bool {
    try Evaluation.holds(condition, in: scope, current: JSONDocument.written(row).root)
  }
}
