internal import Foundation
public import PipelineKit

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// HTTP over Foundation's `URLSession`, for platforms that have no libcurl, and as the baseline of
/// benchmarks.
///
/// It offers what `URLSession` offers everywhere. A request whose settings ask for more fails as
/// `unusable`; none of them is ever ignored. Header fields of the same name arrive joined.
///
/// `URLSession` does not tell connecting from waiting for an answer: `silence` limits both. A
/// `connectTimeout` of its own is a setting that it does not have.
public final class URLSessionTransport: Transport {
  private let session: URLSession
  private let delegate = SessionDelegate()

  /// - Parameter connectionsPerHost: The most connections that are open to one host.
  public init(userAgent: String = "pipeline", connectionsPerHost: Int = 64) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connectionsPerHost
    configuration.httpAdditionalHeaders = ["User-Agent": userAgent]
    configuration.httpShouldSetCookies = false
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  deinit {
    session.invalidateAndCancel()
  }

  /// Sends one request and waits for its response.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let task = session.dataTask(with: try request.foundationRequest())
    do throws(TransportError) {
      return try await outcome(of: task, within: request.timeout, for: request)
    } catch {
      guard error.kind == .timeout, error.message.isEmpty else { throw error }
      throw .silent(for: request.silence)
    }
  }

  private func outcome(
    of task: URLSessionDataTask, within timeout: Duration?, for request: HTTPRequest
  ) async throws(TransportError) -> HTTPResponse {
    guard let timeout else { return try await outcome(of: task, for: request).get() }
    // What ends first, the exchange or the time, cancels the other.
    let first = await withTaskGroup(of: SessionDelegate.Outcome?.self) { group in
      group.addTask { await self.outcome(of: task, for: request) }
      group.addTask {
        try? await Task.sleep(for: timeout)
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
    of task: URLSessionDataTask, for request: HTTPRequest
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

extension HTTPRequest {
  fileprivate func foundationRequest() throws(TransportError) -> URLRequest {
    if let setting = connection.beyondURLSession {
      throw TransportError(.unusable, "URLSessionTransport cannot take \(setting)")
    }
    if connectTimeout != HTTPRequest(url: url).connectTimeout {
      throw TransportError(
        .unusable, "URLSessionTransport cannot take a limit for connecting ('connect')")
    }
    guard let address = URL(string: url), ["http", "https"].contains(address.scheme?.lowercased())
    else { throw TransportError(.unusable, "the URL is neither http: nor https:") }
    var result = URLRequest(url: address)
    result.httpMethod = method
    // The whole request's limit is kept by `send`; this one counts from byte to byte.
    result.timeoutInterval = silence / .seconds(1)
    for field in headers { result.addValue(field.value, forHTTPHeaderField: field.name) }
    switch body {
    case .none: break
    case .bytes(let bytes): result.httpBody = Data(bytes)
    case .file(let path): result.httpBody = Data(try bytes(of: path))
    case .multipart(let parts):
      let form = try MultipartForm(parts) { path throws(TransportError) in try bytes(of: path) }
      result.httpBody = Data(form.bytes)
      result.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    }
    return result
  }

  private func bytes(of path: String) throws(TransportError) -> [UInt8] {
    do {
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe))
    } catch {
      throw TransportError(.file, "'\(path)' cannot be read: \(error.localizedDescription)")
    }
  }
}

extension ConnectionSettings {
  /// The first of the settings that `URLSession` does not have on every platform.
  fileprivate var beyondURLSession: String? {
    if caFile != nil { return "authorities of its own ('ca')" }
    if certificateFile != nil || keyFile != nil { return "a client certificate" }
    if let proxy, !proxy.isEmpty { return "a proxy" }
    if refusesPrivateAddresses { return "a request to an untrusted address" }
    if credentials != nil { return "digest or AWS credentials" }
    return nil
  }
}
