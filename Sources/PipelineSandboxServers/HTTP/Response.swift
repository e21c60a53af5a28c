internal import PipelineJSONText

/// The response of an API. A value: the event loop carries it out, so that APIs wait for nothing.
struct Response {
  enum Content {
    case bytes([UInt8])
    /// Pieces made when the connection can take them.
    case stream(PieceSource)
    /// Raw moves on the socket instead of a response. Faults consist of these.
    case script([WireMove])
  }

  var status: Int
  var fields: [SandboxRequest.Field] = []
  var content: Content
  /// How long the answer is held back.
  var delay: Duration = .zero

  typealias Field = SandboxRequest.Field

  /// A response without content.
  static func empty(_ status: Int, _ fields: [Field] = []) -> Response {
    Response(status: status, fields: fields, content: .bytes([]))
  }

  static func bytes(
    _ bytes: [UInt8], type: String, status: Int = 200, _ fields: [Field] = []
  ) -> Response {
    Response(
      status: status, fields: [Field("Content-Type", type)] + fields, content: .bytes(bytes))
  }

  /// JSON text that is written already.
  static func json(bytes: [UInt8], status: Int = 200, _ fields: [Field] = []) -> Response {
    .bytes(bytes, type: "application/json; charset=utf-8", status: status, fields)
  }

  /// JSON of one value, which `write` makes.
  static func json(
    _ status: Int = 200, _ fields: [Field] = [], _ write: (inout JSONWriter) -> Void
  ) -> Response {
    var writer = JSONWriter(style: .compact)
    write(&writer)
    return .json(bytes: writer.bytes, status: status, fields)
  }

  /// JSON of one object, whose members `write` makes.
  static func object(
    _ status: Int = 200, _ fields: [Field] = [], _ write: (inout JSONWriter) -> Void
  ) -> Response {
    .json(status, fields) { writer in
      writer.beginObject()
      write(&writer)
      writer.endObject()
    }
  }

  /// `{"error": message}`.
  static func failure(_ status: Int, _ message: String, _ fields: [Field] = []) -> Response {
    .object(status, fields) { $0.member("error", message) }
  }

  static func stream(
    _ source: PieceSource, type: String, _ fields: [Field] = []
  ) -> Response {
    Response(
      status: 200, fields: [Field("Content-Type", type)] + fields, content: .stream(source))
  }

  /// Raw moves on the socket.
  static func script(_ moves: [WireMove]) -> Response {
    Response(status: 200, content: .script(moves))
  }

  func delayed(by delay: Duration) -> Response {
    var response = self
    response.delay = delay
    return response
  }

  func adding(_ fields: Field...) -> Response {
    var response = self
    response.fields += fields
    return response
  }
}

/// One move on a connection's socket. A list of them replaces a response.
enum WireMove: Equatable {
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
struct PieceSource {
  /// The size of the whole body if it is known before. If not, it is sent in chunked coding.
  let length: Int?
  /// The next piece, not empty; `nil` at the end.
  let next: () -> [UInt8]?

  init(length: Int? = nil, next: @escaping () -> [UInt8]?) {
    self.length = length
    self.next = next
  }
}
