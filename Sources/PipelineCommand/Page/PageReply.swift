internal import PipelineHTTPServers
internal import Synchronization

/// Server-sent events to one browser, until it goes away.
final class PageReply: Sendable {
  private let reply: ServerReply
  private let gone = Atomic(false)

  init(_ reply: ServerReply) { self.reply = reply }

  var isGone: Bool { gone.load(ordering: .acquiring) }

  /// The browser has gone away.
  func leave() { gone.store(true, ordering: .releasing) }

  /// Sends an event.
  ///
  /// - Parameter data: Without an end of a line.
  func send(_ head: String, _ data: [UInt8]) {
    reply.append(Array(head.utf8) + data + [0x0A, 0x0A])
  }

  func end() { reply.end() }
}
