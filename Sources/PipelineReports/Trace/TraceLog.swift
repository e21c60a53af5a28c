package import PipelineEngine
internal import Synchronization

/// Takes the events of a run, which come from several tasks, and hands on frames of its log.
package final class TraceLog: Sendable {
  private let writer: Mutex<TraceLogWriter>
  private let append: @Sendable ([UInt8]) -> Void
  /// Held while a frame is handed on, so that frames come in order.
  private let order = Mutex(())

  /// - Parameters:
  ///   - rowStep: The step each of whose items is a run of its own.
  ///   - append: Writes a frame after those before.
  package init(rowStep: String?, append: @escaping @Sendable ([UInt8]) -> Void) {
    writer = Mutex(TraceLogWriter(rowStep: rowStep))
    self.append = append
  }

  package func receive(_ event: RunEvent) {
    let count = writer.withLock { writer in
      writer.add(event)
      return writer.count
    }
    // Another task that is at it takes this one's frame, too.
    if count >= TraceRecord.frameSize { _ = order.withLockIfAvailable { _ in handOn() } }
  }

  /// Hands on what has come so far.
  package func flush() { order.withLock { _ in handOn() } }

  private func handOn() {
    if let frame = writer.withLock({ $0.takeFrame() }) { append(frame) }
  }
}
