internal import Synchronization

/// What other threads tell the event loop. A message wakes the loop; they arrive in order.
final class Mailbox: Sendable {
  enum Message: Sendable {
    case stop
    case finish(ServerReply.Exchange, status: Int, fields: [ServerRequest.Field], body: [UInt8])
    case append(ServerReply.Exchange, [UInt8])
    case end(ServerReply.Exchange)
  }

  private let pipe: WakePipe
  private let messages = Mutex<[Message]>([])

  init() throws(ServerError) { pipe = try WakePipe() }

  /// What the loop watches.
  var reader: Int32 { pipe.reader }

  func put(_ message: Message) {
    let isFirst = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    if isFirst { pipe.signal() }
  }

  /// Takes all messages. The pipe is emptied before, so that a later one wakes the loop again.
  func take() -> [Message] {
    pipe.drain()
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
