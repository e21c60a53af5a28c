/// The bounds that keep a server's memory and descriptors in check.
package struct LoopSettings: Sendable {
  /// The time after which a connection on which nothing moves is closed.
  package var idle = Duration.seconds(75)
  /// The same for one that the server itself holds without an answer.
  package var hold = Duration.seconds(600)
  /// How long a refused client's bytes are still read, so that it sees the refusal.
  package var drain = Duration.seconds(1)
  /// The time between searches for idle connections.
  package var sweep = Duration.seconds(5)
  package var limits = RequestParser.Limits()
  /// Bytes of output past which no further request of the connection is answered yet.
  package var highWater = 64 << 10
  /// How long a pushed response may be silent before its pulse is sent.
  package var pulse = Duration.seconds(15)
  /// Bytes of pushed pieces that may wait for a slow client. It is cut off past them.
  package var backlog = 16 << 20

  package init() {}
}
