/// The events of a run, in the order in which they happened.
public struct RunEvents: AsyncSequence, Sendable {
  /// The elements of the sequence.
  public typealias Element = RunEvent
  /// The sequence does not fail: a failure of the run is an event.
  public typealias Failure = Never

  let stream: AsyncStream<RunEvent>
  let run: Run

  /// The events from the first one that is kept. The run begins if it has not.
  public func makeAsyncIterator() -> AsyncStream<RunEvent>.Iterator {
    run.begin()
    return stream.makeAsyncIterator()
  }
}
