package import PipelineJSONText

/// The response of a handler. A value: the event loop carries it out, so that handlers wait for
/// nothing.
package struct ServerResponse {
  package enum Content {
    case bytes([UInt8])
    /// Pieces made when the connection can take them.
    case stream(PieceSource)
    /// Raw moves on the socket instead of a response. Faults consist of these.
    case script([WireMove])
    /// The response comes later, by `ServerReply.finish`.
    case awaited(Departure)
    /// The pieces come later, by `ServerReply.append`. While none comes, `pulse` is sent every 15
    /// seconds, so that either side notices when the other has gone.
    case pushed(pulse: [UInt8], Departure)
  }

  /// Called once when a client goes away before its response has ended. On the loop's thread.
  package typealias Departure = @Sendable () -> Void

  package var status: Int
  package var fields: [ServerRequest.Field]
  package var content: Content
  /// How long the answer is held back.
  package var delay: Duration

  package init(
    status: Int, fields: [Field] = [], content: Content, delay: Duration = .zero
  ) {
    self.status = status
    self.fields = fields
    self.content = content
    self.delay = delay
  }

  package typealias Field = ServerRequest.Field

  /// A response that another thread gives later.
  package static func awaited(_ departure: @escaping Departure = {}) -> ServerResponse {
    ServerResponse(status: 200, content: .awaited(departure))
  }

  /// Server-sent events that another thread gives.
  package static func events(
    _ fields: [Field] = [], _ departure: @escaping Departure = {}
  ) -> ServerResponse {
    ServerResponse(
      status: 200, fields: [Field("Content-Type", "text/event-stream")] + fields,
      content: .pushed(pulse: Array(":\n\n".utf8), departure))
  }

  /// A response without content.
  package static func empty(_ status: Int, _ fields: [Field] = []) -> ServerResponse {
    ServerResponse(status: status, fields: fields, content: .bytes([]))
  }

  package static func bytes(
    _ bytes: [UInt8], type: String, status: Int = 200, _ fields: [Field] = []
  ) -> ServerResponse {
    ServerResponse(
      status: status, fields: [Field("Content-Type", type)] + fields, content: .bytes(bytes))
  }

  /// JSON text that is written already.
  package static func json(bytes: [UInt8], status: Int = 200, _ fields: [Field] = [])
    -> ServerResponse
  {
    .bytes(bytes, type: "application/json; charset=utf-8", status: status, fields)
  }

  /// JSON of one value, which `write` makes.
  package static func json(
    _ status: Int = 200, _ fields: [Field] = [], _ write: (inout JSONWriter) -> Void
  ) -> ServerResponse {
    var writer = JSONWriter(style: .compact)
    write(&writer)
    return .json(bytes: writer.bytes, status: status, fields)
  }

  /// JSON of one object, whose members `write` makes.
  package static func object(
    _ status: Int = 200, _ fields: [Field] = [], _ write: (inout JSONWriter) -> Void
  ) -> ServerResponse {
    .json(status, fields) { writer in
      writer.beginObject()
      write(&writer)
      writer.endObject()
    }
  }

  /// `{"error": message}`.
  package static func failure(_ status: Int, _ message: String, _ fields: [Field] = [])
    -> ServerResponse
  {
    .object(status, fields) { $0.member("error", message) }
  }

  package static func stream(
    _ source: PieceSource, type: String, _ fields: [Field] = []
  ) -> ServerResponse {
    ServerResponse(
      status: 200, fields: [Field("Content-Type", type)] + fields, content: .stream(source))
  }

  /// Raw moves on the socket.
  package static func script(_ moves: [WireMove]) -> ServerResponse {
    ServerResponse(status: 200, content: .script(moves))
  }

  package func delayed(by delay: Duration) -> ServerResponse {
    var response = self
    response.delay = delay
    return response
  }
}

/// One move on a connection's socket. A list of them replaces a response.
package enum WireMove: Equatable {
  case send([UInt8])
  case pause(Duration)
  /// Says nothing more until the client goes away.
  case hold
  /// Ends the connection in order (FIN).
  case close
  /// Ends it with a reset (RST).
  case reset
}

/// Makes a long body piece by piece.
package struct PieceSource {
  /// The size of the whole body if it is known before. If not, it is sent in chunked coding.
  package let length: Int?
  /// The next piece, not empty; `nil` at the end.
  package let next: () -> [UInt8]?

  package init(length: Int? = nil, next: @escaping () -> [UInt8]?) {
    self.length = length
    self.next = next
  }
}
