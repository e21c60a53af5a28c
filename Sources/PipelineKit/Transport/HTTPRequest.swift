/// One request of one hop, ready to be sent.
public struct HTTPRequest: Sendable {
  /// The method, in capitals (RFC 9110 §9).
  public var method: String
  /// An absolute `http` or `https` URL, sent byte for byte.
  public var url: String
  public var headers: [HTTPField]
  public var body: HTTPBody
  /// The longest the request may take, connecting included; `nil`: no limit.
  public var timeout: Duration?
  /// The most bytes that the decoded body may have.
  public var responseLimit: Int
  /// Whether anybody reads the body. Where nobody does, a transport may keep its beginning only,
  /// `HTTPResponse.excerptSize` bytes for messages, and count the rest.
  public var wantsBody: Bool
  public var connection: ConnectionSettings

  public init(
    method: String = "GET", url: String, headers: [HTTPField] = [], body: HTTPBody = .none,
    timeout: Duration? = nil, responseLimit: Int = 64 << 20,
    wantsBody: Bool = true, connection: ConnectionSettings = ConnectionSettings()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.responseLimit = responseLimit
    self.wantsBody = wantsBody
    self.connection = connection
  }
}

/// A header field: a name, compared without regard to case, and a value (RFC 9110 §5).
public struct HTTPField: Sendable, Hashable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// What a request carries.
public enum HTTPBody: Sendable, Equatable {
  case none
  case bytes([UInt8])
  /// The content of the file at a path, streamed.
  case file(String)
  /// `multipart/form-data` (RFC 7578); the transport adds the `Content-Type` with its boundary.
  case multipart([Part])

  /// One part of a `multipart/form-data` body.
  public struct Part: Sendable, Equatable {
    public enum Content: Sendable, Equatable {
      case bytes([UInt8])
      case file(String)
    }

    public var name: String
    public var content: Content
    public var filename: String?
    public var contentType: String?

    public init(
      name: String, content: Content, filename: String? = nil, contentType: String? = nil
    ) {
      self.name = name
      self.content = content
      self.filename = filename
      self.contentType = contentType
    }
  }
}
