internal import Dispatch
internal import PipelineByteText
internal import PipelineKit
public import PipelineTransports

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// HTTP over Foundation's `URLSession`, for platforms that have no libcurl, and as the baseline of
/// benchmarks.
///
/// It offers what `URLSession` offers everywhere. A request whose settings ask for more fails as
/// `unusable`. None of them is ever ignored. docs/embedding.md lists the differences.
///
/// `URLSession` does not tell connecting from waiting for an answer: `silence` limits both. It has
/// no separate `connectTimeout`.
public final class URLSessionTransport: Transport {
  /// Answers a challenge of a connection: which server is trusted, or which certificate the client
  /// shows. It is called on a thread of the session, which waits for it.
  public typealias ChallengeHandler =
    @Sendable (URLAuthenticationChallenge) -> (
      URLSession.AuthChallengeDisposition, URLCredential?
    )

  private let session: URLSession
  private let delegate: SessionDelegate
  /// Why the configuration cannot be used.
  private let problem: String?

  /// The transport of all pipelines that are not given one, on platforms that have no libcurl: they
  /// share its connections.
  public static let shared = URLSessionTransport()

  /// A transport with its own connections.
  ///
  /// - Parameters:
  ///   - userAgent: The `User-Agent` of requests that do not bring their own.
  ///   - connectionsPerHost: The most connections that are open to one host.
  public convenience init(userAgent: String = "pipeline", connectionsPerHost: Int = 64) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connectionsPerHost
    configuration.httpAdditionalHeaders = ["User-Agent": userAgent]
    self.init(configuration: configuration)
  }

  /// A transport with its own connections, as a configuration of the app wants them: which networks
  /// it may use, whether it waits for one, its proxies, and the `URLProtocol` classes of a test.
  ///
  /// The configuration is copied. In the copy, cookies, caches and stored credentials are turned off,
  /// and the header fields `Authorization`, `Proxy-Authorization` and `Cookie` are removed: the
  /// engine decides for each request who gets which credentials. `timeoutIntervalForRequest` has no
  /// effect, because each request has its own limits. If a background configuration is given, each
  /// request fails as `unusable`.
  ///
  /// - Parameters:
  ///   - configuration: The settings of the session.
  ///   - challenge: Decides about the certificates of servers, as an app does that pins them, and
  ///     about the client's certificate; `nil` if the platform decides. It is not called for
  ///     passwords. On Linux the session does not call it for certificates.
  public init(configuration: URLSessionConfiguration, challenge: ChallengeHandler? = nil) {
    let owned = Self.owned(configuration)
    problem = configuration.identifier == nil ? nil : "a background configuration"
    delegate = SessionDelegate(challenge: challenge)
    session = URLSession(configuration: owned, delegate: delegate, delegateQueue: nil)
  }

  /// A copy in which nothing remembers or adds what the engine decides.
  static func owned(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
    // A session of a background configuration would belong to the system.
    let copy = configuration.identifier == nil ? configuration.copy() : nil
    let owned = copy as? URLSessionConfiguration ?? .ephemeral
    owned.httpShouldSetCookies = false
    owned.httpCookieAcceptPolicy = .never
    owned.httpCookieStorage = nil
    owned.urlCache = nil
    owned.requestCachePolicy = .reloadIgnoringLocalCacheData
    owned.urlCredentialStorage = nil
    var headers = owned.httpAdditionalHeaders ?? [:]
    for name in headers.keys {
      guard let text = name as? String else { continue }
      if ownedFields.contains(where: text.equalsIgnoringASCIICase) { headers[name] = nil }
    }
    let hasAgent = headers.keys.contains {
      ($0 as? String)?.equalsIgnoringASCIICase("user-agent") == true
    }
    if !hasAgent { headers["User-Agent"] = "pipeline" }
    owned.httpAdditionalHeaders = headers
    return owned
  }

  /// The fields that only the engine sends.
  private static let ownedFields = ["authorization", "proxy-authorization", "cookie"]

  deinit {
    session.invalidateAndCancel()
  }

  /// `true`: a request ends at its `timeout` by the machine's clock.
  public var keepsTimeLimits: Bool { true }

  /// Sends one request and waits for its response.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    if let problem {
      throw TransportError(.unusable, "URLSessionTransport cannot use \(problem)")
    }
    if request.connection.refusesPrivateAddresses { try await checkAddress(of: request) }
    let (foundation, upload) = try request.foundationRequest()
    defer { upload?.remove() }
    let task: URLSessionDataTask =
      if let upload {
        session.uploadTask(with: foundation, fromFile: upload.url)
      } else {
        session.dataTask(with: foundation)
      }
    do throws(TransportError) {
      return try await outcome(of: task, within: request.timeout, for: request)
    } catch {
      guard error.kind == .timeout, error.message.isEmpty else { throw error }
      throw .silent(for: request.silence)
    }
  }

  /// Fails if the host's name leads to a private address. `URLSession` looks the name up again. The
  /// delegate checks the address that it chose, if the platform shows it.
  private func checkAddress(of request: TransportRequest) async throws(TransportError) {
    guard let host = URL(string: request.url)?.host else { return }
    let reason = await withCheckedContinuation { continuation in
      // The look-up blocks its thread.
      DispatchQueue.global().async {
        continuation.resume(returning: AddressRule.reasonToRefuse(namedHost: host))
      }
    }
    guard let reason else { return }
    throw TransportError(
      .refusedAddress, "'\(host)' is \(reason), and a response named the URL")
  }

  private func outcome(
    of task: URLSessionDataTask, within timeout: Duration?, for request: TransportRequest
  ) async throws(TransportError) -> TransportResponse {
    guard let timeout else { return try await outcome(of: task, for: request).get() }
    // The exchange or the time, whichever ends first, cancels the other.
    let first = await withTaskGroup(of: SessionDelegate.Outcome?.self) { group in
      group.addTask { await self.outcome(of: task, for: request) }
      group.addTask {
        try? await SystemClock().sleep(for: timeout)
        return Task.isCancelled ? .failure(TransportError(.cancelled, "cancelled")) : nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    guard let first else {
      let limit = request.statedTimeout ?? timeout
      throw TransportError(.timeout, "no complete response within \(limit.shown)")
    }
    return try first.get()
  }

  private func outcome(
    of task: URLSessionDataTask, for request: TransportRequest
  ) async -> SessionDelegate.Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        delegate.begin(task, for: request, continuation)
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }
}

extension TransportRequest {
  /// The request as Foundation has it, and the file that is its body, if it is one.
  fileprivate func foundationRequest() throws(TransportError) -> (URLRequest, UploadFile?) {
    if let setting = connection.beyondURLSession {
      throw TransportError(.unusable, "URLSessionTransport cannot take \(setting)")
    }
    if connectTimeout != TransportRequest(url: url).connectTimeout {
      throw TransportError(
        .unusable, "URLSessionTransport cannot take a limit for connecting ('connect')")
    }
    if body != .none, method == "GET" || method == "HEAD" {
      throw TransportError(.unusable, "URLSessionTransport sends no body with \(method)")
    }
    guard let address = URL(string: url), ["http", "https"].contains(address.scheme?.lowercased())
    else { throw TransportError(.unusable, "the URL is neither http: nor https:") }
    var result = URLRequest(url: address)
    result.httpMethod = method
    // `send` keeps the limit of the whole request. This one counts from byte to byte.
    result.timeoutInterval = silence / .seconds(1)
    for field in headers { result.addValue(field.value, forHTTPHeaderField: field.name) }
    switch body {
    case .none: return (result, nil)
    case .bytes(let bytes):
      result.httpBody = Data(bytes)
      return (result, nil)
    case .file(let path): return (result, try UploadFile(path: path))
    case .multipart(let parts):
      let form = MultipartForm(parts)
      result.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
      if form.hasFiles { return (result, try UploadFile(writing: form)) }
      result.httpBody = form.bytes
      return (result, nil)
    }
  }
}

extension ConnectionSettings {
  /// The first of the settings that `URLSession` does not have on every platform.
  fileprivate var beyondURLSession: String? {
    if caFile != nil { return "authorities of its own ('ca')" }
    if certificateFile != nil || keyFile != nil { return "a client certificate" }
    if let proxy, !proxy.isEmpty { return "a proxy" }
    if credentials != nil { return "digest or AWS credentials" }
    return nil
  }
}
