internal import PipelineByteText
package import PipelineRecordings
internal import Synchronization

/// How far the bytes of one request have come.
public struct Transfer: Sendable, Hashable {
  /// The id of the step, after the ids of the blocks around it.
  public let step: String
  /// The positions of the items of the blocks around, outermost first.
  public let path: [Int]
  /// The position of the item; `nil` if the step does not run over a collection.
  public let item: Int?
  /// The bytes of the body that were handed to the network.
  public let sent: Int
  /// How many there are; `nil` if the transport alone knows.
  public let sentTotal: Int?
  /// The bytes of the response's body that have come.
  public let received: Int
  /// How many there will be; `nil` if the server has not said.
  public let receivedTotal: Int?
}

/// Where a transport says how far a request has come.
public final class TransferProgress: Sendable {
  private struct State {
    var sent = 0
    var received = 0
    var receivedTotal: Int?
  }

  private let key: RecordingKey
  private let sentTotal: Int?
  private let observer: @Sendable (Transfer) -> Void
  private let state = Mutex(State())

  package init(
    _ key: RecordingKey, of body: TransportBody, _ observer: @escaping @Sendable (Transfer) -> Void
  ) {
    self.key = key
    self.observer = observer
    sentTotal =
      switch body {
      case .none: 0
      case .bytes(let bytes): bytes.count
      case .file, .multipart: nil
      }
  }

  /// Sets the total number of body bytes sent so far.
  ///
  /// - Parameter count: The number of bytes handed to the network, in total.
  public func sent(_ count: Int) { change { $0.sent = count } }

  /// Adds bytes of the response's body that have arrived.
  ///
  /// - Parameter count: The number of new bytes.
  public func received(_ count: Int) { change { $0.received += count } }

  /// Sets the number of bytes in the response's body.
  ///
  /// - Parameter count: The length that the response announces.
  public func expects(_ count: Int) { change { $0.receivedTotal = count } }

  /// The response is whole.
  package func end(received count: Int) {
    change { state in
      state.received = count
      state.receivedTotal = count
      if let sentTotal { state.sent = sentTotal }
    }
  }

  /// Under the lock, so that no reader sees an earlier state after a later one.
  private func change(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      observer(
        Transfer(
          step: key.step, path: key.path, item: key.item, sent: state.sent, sentTotal: sentTotal,
          received: state.received, receivedTotal: state.receivedTotal))
    }
  }
}
