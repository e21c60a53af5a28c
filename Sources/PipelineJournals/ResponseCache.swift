public import PipelineTransports

/// Keeps responses for later requests, as a private cache (RFC 9111): the boundary to their
/// storage.
///
/// The engine decides which responses are kept and which may be used. A cache only finds, keeps and
/// drops, and may lose anything at any time. It never sees a URL, a credential or a header field of
/// a request, only digests of them.
public protocol ResponseCache: Sendable {
  /// Random bytes that all digests begin with. They stay the same for as long as a response is kept.
  var digestKey: [UInt8] { get }

  /// The size of the largest body that is kept, in bytes.
  var largestBody: Int { get }

  /// The kept responses for a URL and a caller, the newest first.
  func responses(for key: CacheKey) async -> [CachedResponse]

  /// Keeps a response in place of one with the same variant.
  func store(_ response: CachedResponse, for key: CacheKey) async

  /// Drops what is kept for a URL, for all callers.
  ///
  /// - Parameter url: `CacheKey.url`
  func drop(url: [UInt8]) async
}

/// The keys of responses. They are digests, so that a cache holds no URL and no credential.
public struct CacheKey: Sendable, Hashable {
  /// The digest of the method and the URL.
  public let url: [UInt8]
  /// The digest of the credentials that the server sees: no two callers share a response.
  public let caller: [UInt8]

  /// A key of these digests.
  ///
  /// - Parameters:
  ///   - url: The digest of the method and the URL.
  ///   - caller: The digest of the credentials.
  public init(url: [UInt8], caller: [UInt8]) {
    self.url = url
    self.caller = caller
  }
}

/// A response that is kept.
public struct CachedResponse: Sendable {
  /// The status of the response.
  public var status: Int
  /// The header fields, in the order in which they came.
  public var headers: [HeaderField]
  /// After content decoding.
  public var body: [UInt8]
  /// When its request was sent, or validated, in seconds since 1970-01-01T00:00:00Z.
  public var requestTime: Double
  /// When it came, or was validated.
  public var responseTime: Double
  /// The request's header fields that `Vary` names: in lower case, sorted.
  public var varyingFields: [String]
  /// A digest of their values.
  public var variant: [UInt8]

  /// A response with the times of its request and its arrival.
  public init(
    status: Int, headers: [HeaderField], body: [UInt8], requestTime: Double, responseTime: Double,
    varyingFields: [String], variant: [UInt8]
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.varyingFields = varyingFields
    self.variant = variant
  }
}

/// How a kept response was used.
public enum CacheUse: String, Sendable, Hashable {
  /// Nothing was sent.
  case fresh
  /// The server was asked, and said that it still holds.
  case validated
}
