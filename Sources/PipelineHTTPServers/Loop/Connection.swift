/// One client's connection: its parser, its output and its waits. Belongs to the event loop.
final class Connection {
  enum Phase {
    /// Reads requests and answers them.
    case reading
    /// Holds a whole answer back until its timer.
    case waiting(Answer)
    case streaming(PieceSource, ResponseEncoder.Length)
    /// Makes moves from a script; `next` is the first not made yet.
    case scripted([WireMove], next: Int)
    /// Waits for the answer that another thread gives.
    case awaiting(Answer, ServerResponse.Departure)
    /// Sends the pieces that another thread gives.
    case pushing(ResponseEncoder.Length, pulse: [UInt8], ServerResponse.Departure)
    /// Waits for the client to go away.
    case holding
    /// Has ended its half and reads until the client ends the other.
    case draining
  }

  struct Answer {
    var response: ServerResponse
    let method: String
    let keepsAlive: Bool
    let minorVersion: Int
  }

  let descriptor: Int32
  /// Descriptor and generation: an event for an earlier connection of the same number is known.
  let token: UInt64
  let ordinal: Int
  var parser: RequestParser
  var phase = Phase.reading
  /// The request under way, counted by the loop.
  var exchange: UInt64 = 0
  var output: [UInt8] = []
  /// How much of `output` is sent.
  var sent = 0
  /// Whether the connection ends once the output is sent.
  var closesAfterOutput = false
  /// Whether the parser has asked for more bytes since the last ones came.
  var waitsForInput = false
  /// Whether the last answer refuses bytes that may still be coming.
  var isRefused = false
  /// Whether the client has ended its half.
  var inputEnded = false
  var interest: Poller.Interest = .readable
  /// The serial of the timer that counts; 0: none.
  var timer: UInt64 = 0
  /// When something last moved, in monotonic nanoseconds.
  var lastMoved: UInt64

  init(
    descriptor: Int32, token: UInt64, ordinal: Int, limits: RequestParser.Limits, now: UInt64
  ) {
    self.descriptor = descriptor
    self.token = token
    self.ordinal = ordinal
    parser = RequestParser(limits: limits)
    lastMoved = now
  }

  var hasOutput: Bool { sent < output.count }

  var isStreaming: Bool {
    if case .streaming = phase { true } else { false }
  }

  /// What is to be called if the client goes away now.
  var departure: ServerResponse.Departure? {
    switch phase {
    case .awaiting(_, let departure), .pushing(_, _, let departure): departure
    default: nil
    }
  }

  /// Forgets sent bytes. Large buffers are freed.
  func clearOutput() {
    output.removeAll(keepingCapacity: output.capacity <= 1 << 17)
    sent = 0
  }
}
