/// Why no complete response arrived.
public struct TransportError: Error, Sendable, Hashable {
  /// The kind of error, in terms that do not depend on the transport.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The host's name has no address.
    case nameResolution
    /// No connection could be made.
    case connection
    /// The TLS handshake failed, or the server's certificate is not trusted.
    case tls
    /// The connection broke before the response was complete, or its length was wrong.
    case interrupted
    /// The request took longer than one of its limits.
    case timeout
    /// The body is larger than the request's limit.
    case responseTooLarge
    /// The body's content coding (gzip, br, zstd) is broken.
    case decoding
    /// The proxy cannot be reached, or refuses.
    case proxy
    /// The address is private and the request's settings refuse such.
    case refusedAddress
    /// A file that the request names cannot be read.
    case file
    /// The calling task was cancelled.
    case cancelled
    /// The request cannot be sent as it is: a URL or a setting is unusable.
    case unusable
    /// A step in Swift threw an error.
    case handler
    /// Anything else.
    case other
  }

  /// The known facts about a request whose connection existed before it, and ended.
  public enum Loss: Sendable, Hashable {
    /// No byte of a response came. The server may have processed the request.
    case unanswered
    /// The server has certainly not processed the request.
    case unprocessed
  }

  /// A limit of a request other than its `timeout`.
  public enum Limit: String, Sendable, Hashable {
    /// `connectTimeout`
    case connect
    /// `silence`
    case silence
  }

  /// The kind of error.
  public var kind: Kind
  /// The error, as one phrase without method and URL, which the engine adds.
  public var message: String
  /// Set if only the reuse of a connection failed, so that a new one is worth an attempt.
  public var loss: Loss?
  /// The limit that ended a request of the kind `timeout`; `nil` for its `timeout`.
  public var limit: Limit?
  /// The number of times that the request left the machine.
  package var sentCount = 1
  /// The status of the response, if its header came; `nil` if it did not.
  package var status: Int?
  /// The share of `timeout` that earlier requests of its attempt used.
  package var timeBefore = Duration.zero

  /// An error of a kind.
  ///
  /// - Parameters:
  ///   - kind: What went wrong, on which retries depend.
  ///   - message: What went wrong, as one phrase.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

extension TransportError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
