internal import PipelineByteText

/// A complete response, of whatever status.
///
/// One word, since it is handed on more often than it is looked into.
public struct TransportResponse: Sendable {
  private struct Content: Sendable {
    var status: Int
    var body: [UInt8]
    var droppedCount = 0
    var version: String
    var timings: Timings
    var head: Head
  }

  private enum Head {
    case fields([HeaderField])
    case block(HeaderBlock)
  }

  private var content: Boxed<Content>

  /// The status code.
  public var status: Int {
    get { content.value.status }
    set { content.value.status = newValue }
  }

  /// The body after content decoding, or the part that was kept (`TransportRequest.wantsBody`).
  public var body: [UInt8] {
    get { content.value.body }
    set { content.value.body = newValue }
  }

  /// The bytes of the body that were received and not kept.
  public var droppedCount: Int {
    get { content.value.droppedCount }
    set { content.value.droppedCount = newValue }
  }

  /// The protocol's version: `"1.1"`, `"2"`.
  public var version: String {
    get { content.value.version }
    set { content.value.version = newValue }
  }

  /// When each phase of the request ended.
  public var timings: Timings {
    get { content.value.timings }
    set { content.value.timings = newValue }
  }

  /// A response with a body in memory.
  public init(
    status: Int, headers: [HeaderField] = [], body: [UInt8] = [], version: String = "1.1",
    timings: Timings = Timings()
  ) {
    content = Boxed(
      Content(
        status: status, body: body, version: version, timings: timings, head: .fields(headers)))
  }

  /// A response whose header fields are `headerBlock`'s lines, which are parsed when asked for.
  package init(
    status: Int, headerBlock: [UInt8], body: [UInt8], droppedCount: Int = 0, version: String,
    timings: Timings
  ) {
    content = Boxed(
      Content(
        status: status, body: body, droppedCount: droppedCount, version: version,
        timings: timings, head: .block(HeaderBlock(bytes: headerBlock))))
  }

  /// The number of bytes that are kept of a body that is not read.
  public static let excerptSize = 8 << 10

  /// The bytes of the body, kept or not.
  public var bodySize: Int { body.count + droppedCount }

  /// The header fields in the order received.
  ///
  /// - Complexity: O(*n*) in the size of the header if the response came from a network.
  public var headers: [HeaderField] {
    get {
      switch content.value.head {
      case .fields(let fields): fields
      case .block(let block): block.fields
      }
    }
    set { content.value.head = .fields(newValue) }
  }

  /// The first value of the header `name`, compared without regard to case.
  ///
  /// - Parameter name: The name of the field, in upper or lower case.
  public func header(_ name: String) -> String? {
    switch content.value.head {
    case .fields(let fields): fields.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    case .block(let block): block.first(name)
    }
  }

  /// The fields whose name has `limit` in it, in the order received.
  package var limitFields: [HeaderField] {
    switch content.value.head {
    case .fields(let fields): fields.filter { HeaderBlock.contains(Array($0.name.utf8), "limit") }
    case .block(let block): block.fields(naming: "limit")
    }
  }
}

/// When each phase of a request ended, counted from its start.
public struct Timings: Sendable, Hashable {
  /// The host's name was resolved. Zero on a reused connection.
  public var nameLookup: Duration = .zero
  /// The connection was made. Zero on a reused connection.
  public var connect: Duration = .zero
  /// The TLS handshake was done. Zero without TLS.
  public var tls: Duration = .zero
  /// The first byte of the response arrived.
  public var firstByte: Duration = .zero
  /// The last byte arrived.
  public var total: Duration = .zero
  /// Whether the connection was there before the request.
  public var reusedConnection = false

  /// Timings of zero.
  public init() {}
}
