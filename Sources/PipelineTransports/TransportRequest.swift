internal import PipelineByteText
package import PipelineURIs

/// One request of one hop, ready to be sent.
///
/// One word, since it is handed on more often than it is looked into.
public struct TransportRequest: Sendable {
  private struct Content: Sendable {
    var method: String
    var url: String
    var origin: Origin?
    var headers: [HeaderField]
    var body: TransportBody
    var timeout: Duration?
    var statedTimeout: Duration?
    var connectTimeout: Duration
    var silence: Duration
    var responseLimit: Int
    var wantsBody: Bool
    var connection: ConnectionSettings
    var budget: ResponseBudget?
    var usesNewConnection = false
    var asker: RequestAsker?
    var transfer: TransferProgress?
    var clock: (any RunClock)?
    var receiver: (any BodyReceiver)?
  }

  private var content: Boxed<Content>

  /// The method, in capitals (RFC 9110 §9).
  public var method: String {
    get { content.value.method }
    set { content.value.method = newValue }
  }

  /// An absolute `http` or `https` URL, sent byte for byte.
  public var url: String {
    get { content.value.url }
    set {
      content.value.url = newValue
      content.value.origin = Origin(of: newValue)
    }
  }

  /// The origin of the URL; `nil` if it is not an http or https URL.
  package var origin: Origin? { content.value.origin }

  /// The header fields, in the order in which they are sent.
  public var headers: [HeaderField] {
    get { content.value.headers }
    set { content.value.headers = newValue }
  }

  /// The body.
  public var body: TransportBody {
    get { content.value.body }
    set { content.value.body = newValue }
  }

  /// The longest the request may take, connecting included; `nil` for no limit.
  public var timeout: Duration? {
    get { content.value.timeout }
    set { content.value.timeout = newValue }
  }

  /// The limit that a message names, if `timeout` is the rest that redirects have left of it.
  package var statedTimeout: Duration? {
    get { content.value.statedTimeout ?? content.value.timeout }
    set { content.value.statedTimeout = newValue }
  }

  /// The maximum time to connect, with the name's resolution and the TLS handshake.
  public var connectTimeout: Duration {
    get { content.value.connectTimeout }
    set { content.value.connectTimeout = newValue }
  }

  /// The maximum time without a byte sent or received on a connection.
  public var silence: Duration {
    get { content.value.silence }
    set { content.value.silence = newValue }
  }

  /// The most bytes that the decoded body may have.
  public var responseLimit: Int {
    get { content.value.responseLimit }
    set { content.value.responseLimit = newValue }
  }

  /// Whether the body is read. If it is not, a transport may keep only its beginning,
  /// `TransportResponse.excerptSize` bytes for messages, and count the rest.
  public var wantsBody: Bool {
    get { content.value.wantsBody }
    set { content.value.wantsBody = newValue }
  }

  /// Proxy, certificates and addresses.
  public var connection: ConnectionSettings {
    get { content.value.connection }
    set { content.value.connection = newValue }
  }

  /// The memory budget for the bytes of the body that a transport keeps; `nil` if only
  /// `responseLimit` applies. A transport that takes nothing is held to it when the body is whole.
  public var budget: ResponseBudget? {
    get { content.value.budget }
    set { content.value.budget = newValue }
  }

  /// Whether the request must not travel on a connection that was there before it.
  package var usesNewConnection: Bool {
    get { content.value.usesNewConnection }
    set { content.value.usesNewConnection = newValue }
  }

  /// The step that asks; `nil` unless the transport wants to know (`Transport.readsAsker`).
  public package(set) var asker: RequestAsker? {
    get { content.value.asker }
    set { content.value.asker = newValue }
  }

  /// Where the transport reports the progress of the request; `nil` if it is not wanted.
  public var transfer: TransferProgress? {
    get { content.value.transfer }
    set { content.value.transfer = newValue }
  }

  /// The clock of the run, on which a transport waits that has something to wait for; `nil` if no
  /// run made the request, and it is the machine's.
  public package(set) var clock: (any RunClock)? {
    get { content.value.clock }
    set { content.value.clock = newValue }
  }

  /// Receives the body while it arrives.
  package var receiver: (any BodyReceiver)? {
    get { content.value.receiver }
    set { content.value.receiver = newValue }
  }

  /// A request without a body and with the default limits, unless they are given.
  ///
  /// - Parameters:
  ///   - method: The method, such as `POST`.
  ///   - url: An http or https URL.
  ///   - headers: The fields to send, in this order.
  ///   - body: The content.
  ///   - timeout: The maximum time for the request.
  ///   - connectTimeout: The maximum time to connect.
  ///   - silence: The maximum time without a byte in either direction.
  ///   - responseLimit: The maximum size of the decoded body, in bytes.
  ///   - wantsBody: Whether the body is read.
  ///   - connection: Proxy, certificates and addresses.
  ///   - budget: The memory for the body that several requests share.
  public init(
    method: String = "GET", url: String, headers: [HeaderField] = [], body: TransportBody = .none,
    timeout: Duration? = nil, connectTimeout: Duration = .seconds(10),
    silence: Duration = .seconds(60), responseLimit: Int = 64 << 20,
    wantsBody: Bool = true, connection: ConnectionSettings = ConnectionSettings(),
    budget: ResponseBudget? = nil
  ) {
    content = Boxed(
      Content(
        method: method, url: url, origin: Origin(of: url), headers: headers, body: body,
        timeout: timeout, connectTimeout: connectTimeout, silence: silence,
        responseLimit: responseLimit, wantsBody: wantsBody, connection: connection,
        budget: budget))
  }

  /// A request to a URL whose origin is known.
  package init(
    method: String, to url: RequestURL, headers: [HeaderField], body: TransportBody,
    timeout: Duration?,
    connectTimeout: Duration, silence: Duration, responseLimit: Int, wantsBody: Bool,
    connection: ConnectionSettings, budget: ResponseBudget?,
    clock: (any RunClock)? = nil
  ) {
    content = Boxed(
      Content(
        method: method, url: url.text, origin: url.origin, headers: headers, body: body,
        timeout: timeout, connectTimeout: connectTimeout, silence: silence,
        responseLimit: responseLimit, wantsBody: wantsBody, connection: connection,
        budget: budget, clock: clock))
  }
}

/// A header field: a name, compared without regard to case, and a value (RFC 9110 §5).
///
/// Two fields are equal if they are sent as the same bytes.
public struct HeaderField: Sendable, Hashable {
  /// The name of the field. Its case does not matter.
  public var name: String
  /// The value of the field.
  public var value: String

  /// A field with this name and this value.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether both are sent as the same bytes.
  public static func == (left: HeaderField, right: HeaderField) -> Bool {
    left.name.equals(bytes: right.name) && left.value.equals(bytes: right.value)
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(value)
  }
}

/// The body of a request.
public enum TransportBody: Sendable, Equatable {
  /// No body.
  case none
  /// Bytes in memory.
  case bytes([UInt8])
  /// The content of the file at a path, streamed.
  case file(String)
  /// `multipart/form-data` (RFC 7578). The transport adds the `Content-Type` with its boundary.
  case multipart([Part])

  /// One part of a `multipart/form-data` body.
  public struct Part: Sendable, Equatable {
    /// The content of a part.
    public enum Content: Sendable, Equatable {
      /// Bytes in memory.
      case bytes([UInt8])
      /// The content of the file at a path.
      case file(String)
    }

    /// The name of the part in the form.
    public var name: String
    /// The content of the part.
    public var content: Content
    /// The name of the file that the server is given.
    public var filename: String?
    /// The media type of the part.
    public var contentType: String?

    /// A part of a form.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - content: The bytes of the part, or where they are.
    ///   - filename: The name of a file that the server sees.
    ///   - contentType: The media type of the content.
    public init(
      name: String, content: Content, filename: String? = nil, contentType: String? = nil
    ) {
      self.name = name
      self.content = content
      self.filename = filename
      self.contentType = contentType
    }
  }

  /// The paths of the files that are sent.
  package var files: [String] {
    switch self {
    case .none, .bytes: []
    case .file(let path): [path]
    case .multipart(let parts):
      parts.compactMap { if case .file(let path) = $0.content { path } else { nil } }
    }
  }
}
