/// The bounds that keep a server's memory and descriptors in check.
struct LoopSettings: Sendable {
  /// A connection on which nothing has moved for so long is closed.
  var idle = Duration.seconds(75)
  /// The same for one that the sandbox itself holds without an answer.
  var hold = Duration.seconds(600)
  /// How long a refused client's bytes are still read, so that it sees the refusal.
  var drain = Duration.seconds(1)
  /// How often idle connections are looked for.
  var sweep = Duration.seconds(5)
  var limits = RequestParser.Limits()
  /// Bytes of output past which no further request of the connection is answered yet.
  var highWater = 64 << 10
}
