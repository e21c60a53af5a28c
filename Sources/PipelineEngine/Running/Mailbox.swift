internal import Synchronization

/// Messages of many tasks to one, the reader, in the order in which they were sent.
final class Mailbox<Message: Sendable>: Sendable {
  private struct State {
    var messages: [Message] = []
    /// The reader, if it waits.
    var reader: UnsafeContinuation<Void, Never>?
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Returns `false` if the mailbox was closed, so that the message will not be read.
  func post(_ message: Message) -> Bool {
    let (isTaken, reader) = state.withLock { state in
      guard !state.isClosed else { return (false, nil as UnsafeContinuation<Void, Never>?) }
      state.messages.append(message)
      return (true, state.reader.take())
    }
    reader?.resume()
    return isTaken
  }

  /// Moves all posted messages into `messages`, which is empty. Waits until there is one. For one
  /// reader, and before the mailbox is closed.
  func receive(into messages: inout [Message]) async {
    if take(&messages) { return }
    await withUnsafeContinuation { continuation in
      let isReady = state.withLock { state in
        precondition(state.reader == nil && !state.isClosed)
        guard state.messages.isEmpty else { return true }
        state.reader = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
    _ = take(&messages)
  }

  /// Refuses later messages, and returns the unread ones.
  func close() -> [Message] {
    state.withLock { state in
      state.isClosed = true
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Puts what was posted into `messages`, which is empty; `false`: nothing was.
  func take(_ messages: inout [Message]) -> Bool {
    state.withLock { state in
      swap(&state.messages, &messages)
    }
    return !messages.isEmpty
  }
}
