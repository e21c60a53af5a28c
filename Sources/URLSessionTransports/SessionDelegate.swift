import Foundation
import PipelineByteText
import PipelineTransports
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Collects what arrives for each task, and follows no redirect.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
  typealias Outcome = Result<TransportResponse, TransportError>

  private struct Exchange {
    var limit: Int
    var budget: ResponseBudget?
    var transfer: TransferProgress?
    /// Whether the connection must not lead to a private address.
    var refusesPrivateAddresses: Bool
    var refusal: String?
    /// The response of a server that requests credentials, if the session does not pass it on.
    var challenge: HTTPURLResponse?
    var continuation: CheckedContinuation<Outcome, Never>
    var body: [UInt8] = []
    var isTooLarge = false
    let start = ContinuousClock.now
    var firstByte: Duration?
  }

  private let exchanges = Mutex<[Int: Exchange]>([:])
  private let challenge: URLSessionTransport.ChallengeHandler?

  init(challenge: URLSessionTransport.ChallengeHandler? = nil) {
    self.challenge = challenge
  }

  func begin(
    _ task: URLSessionTask, for request: TransportRequest,
    _ continuation: CheckedContinuation<Outcome, Never>
  ) {
    exchanges.withLock {
      $0[task.taskIdentifier] = Exchange(
        limit: request.responseLimit, budget: request.budget, transfer: request.transfer,
        refusesPrivateAddresses: request.connection.refusesPrivateAddresses,
        continuation: continuation)
    }
    // A task that was cancelled before this point may have ended without being noticed.
    if task.state == .canceling || task.state == .completed {
      end(task, error: URLError(.cancelled))
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let passes = exchanges.withLock { exchanges in
      let id = dataTask.taskIdentifier
      guard let exchange = exchanges[id] else { return false }
      exchanges[id]?.firstByte = exchange.start.duration(to: .now)
      let isTooLarge = response.expectedContentLength > Int64(exchange.limit)
      exchanges[id]?.isTooLarge = isTooLarge
      if response.expectedContentLength >= 0 {
        exchange.transfer?.expects(Int(response.expectedContentLength))
      }
      return !isTooLarge
    }
    completionHandler(passes ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let passes = exchanges.withLock { exchanges in
      let id = dataTask.taskIdentifier
      guard let exchange = exchanges[id] else { return false }
      if data.count > exchange.limit - exchange.body.count
        || exchange.budget?.take(data.count) == false
      {
        exchanges[id]?.isTooLarge = true
        return false
      }
      exchanges[id]?.body.append(contentsOf: data)
      exchange.transfer?.received(data.count)
      return true
    }
    if !passes { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    let transfer = exchanges.withLock { $0[task.taskIdentifier]?.transfer }
    transfer?.sent(Int(totalBytesSent))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    if let answer = answer(to: challenge) { return completionHandler(answer.0, answer.1) }
    #if canImport(FoundationNetworking)
      // On Linux the session waits for ever if it has no credentials for a challenge. The engine adds
      // credentials itself, so the answer that holds the challenge is what counts.
      if let response = challenge.failureResponse as? HTTPURLResponse {
        exchanges.withLock { $0[task.taskIdentifier]?.challenge = response }
        return completionHandler(.rejectProtectionSpace, nil)
      }
    #endif
    completionHandler(.performDefaultHandling, nil)
  }

  /// What the app says to a challenge of the connection; `nil` if it is not asked.
  func answer(
    to challenge: URLAuthenticationChallenge
  ) -> (URLSession.AuthChallengeDisposition, URLCredential?)? {
    let method = challenge.protectionSpace.authenticationMethod
    guard let handler = self.challenge, Self.connectionMethods.contains(method) else { return nil }
    return handler(challenge)
  }

  /// `NSURLAuthenticationMethodServerTrust` and `…ClientCertificate`, which Linux does not have.
  private static let connectionMethods = [
    "NSURLAuthenticationMethodServerTrust", "NSURLAuthenticationMethodClientCertificate",
  ]

  #if canImport(Darwin)
    /// Says which address was connected to, before the task ends.
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
      let addresses = metrics.transactionMetrics.compactMap(\.remoteAddress)
      exchanges.withLock { exchanges in
        guard exchanges[task.taskIdentifier]?.refusesPrivateAddresses == true else { return }
        exchanges[task.taskIdentifier]?.refusal =
          addresses.lazy.compactMap { AddressRule.reasonToRefuse(literalHost: $0) }.first
      }
    }
  #endif

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    end(task, error: error)
  }

  private func end(_ task: URLSessionTask, error: (any Error)?) {
    let ended = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    guard let ended else { return }
    ended.continuation.resume(returning: outcome(ended, task.response, error))
  }

  private func outcome(
    _ exchange: Exchange, _ response: URLResponse?, _ error: (any Error)?
  ) -> Outcome {
    if exchange.isTooLarge {
      return .failure(
        TransportError(.responseTooLarge, "body is larger than \(exchange.limit) bytes (limit)"))
    }
    if let refusal = exchange.refusal {
      return .failure(
        TransportError(.refusedAddress, "the host is \(refusal), and a response named the URL"))
    }
    if let error, exchange.challenge == nil { return .failure(TransportError(error)) }
    guard let response = exchange.challenge ?? response as? HTTPURLResponse else {
      return .failure(TransportError(.interrupted, "the answer is not HTTP"))
    }
    var timings = Timings()
    timings.firstByte = exchange.firstByte ?? .zero
    timings.total = exchange.start.duration(to: .now)
    let headers = response.allHeaderFields.flatMap { name, value -> [HeaderField] in
      guard let name = name as? String else { return [] }
      let text = "\(value)"
      let values =
        name.equalsIgnoringASCIICase("set-cookie") ? SetCookies.separated(text) : [text]
      return values.map { HeaderField(name, $0) }
    }
    return .success(
      TransportResponse(
        status: response.statusCode, headers: headers, body: exchange.body, timings: timings))
  }
}

extension TransportError {
  init(_ error: any Error) {
    let code = (error as? URLError)?.code ?? .unknown
    let kind: Kind =
      switch code {
      case .cancelled: .cancelled
      case .timedOut: .timeout
      case .cannotFindHost, .dnsLookupFailed: .nameResolution
      case .cannotConnectToHost, .notConnectedToInternet: .connection
      case .networkConnectionLost, .badServerResponse, .cannotParseResponse: .interrupted
      case .cannotDecodeRawData, .cannotDecodeContentData: .decoding
      case .unknown where Self.isOfCoding(error): .decoding
      // The URL was looked at before it was sent: what is unknown is the answer.
      case .unknown, .unsupportedURL: .interrupted
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
        .clientCertificateRejected, .clientCertificateRequired:
        .tls
      case .badURL: .unusable
      default: .other
      }
    switch kind {
    case .cancelled: self.init(kind, "cancelled")
    // The caller knows the limit and adds it.
    case .timeout: self.init(kind, "")
    default: self.init(kind, error.localizedDescription)
    }
  }

  /// Whether the body's coding is broken: on Linux libcurl's words alone say so.
  private static func isOfCoding(_ error: any Error) -> Bool {
    #if canImport(FoundationNetworking)
      let text = error.localizedDescription
      return text.contains(bytes: "content unencoding") || text.contains(bytes: "content encoding")
    #else
      return false
    #endif
  }

  static func silent(for limit: Duration) -> TransportError {
    var error = TransportError(.timeout, "nothing received for \(limit.shown)")
    error.limit = .silence
    return error
  }
}

/// Set-Cookie fields that Foundation has joined with commas, which their dates may hold, too.
enum SetCookies {
  static func separated(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    var values: [String] = []
    var start = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: ",") {
      guard beginsCookie(bytes[(index + 1)...]) else { continue }
      values.append(trimmed(bytes[start..<index]))
      start = index + 1
    }
    values.append(trimmed(bytes[start...]))
    return values.filter { !$0.isEmpty }
  }

  /// Whether a name and `=` follow: after the comma of a date comes a day.
  private static func beginsCookie(_ rest: ArraySlice<UInt8>) -> Bool {
    let name = rest.drop { $0 == 0x20 }.prefix { $0 > 0x20 && !stops.contains($0) }
    return !name.isEmpty && rest.drop { $0 == 0x20 }.dropFirst(name.count).first == equals
  }

  private static let equals = UInt8(ascii: "=")
  private static let stops: [UInt8] = Array("=;,".utf8)

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes.drop { $0 == 0x20 }
    while bytes.last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
