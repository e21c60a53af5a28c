internal import CPipelineCurl
internal import PipelineByteText
import PipelineTransports
internal import PipelineURIs

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A transfer that failed, and its failure in the words of `TransportError`.
struct TransferFailure {
  let code: Int32
  /// The text of libcurl's error buffer.
  let detail: String
  let transfer: ccurl_transfer
  let request: TransportRequest
  /// The problem that a callback found.
  let callback: TransportError?
  let address: SocketAddress?
  let isHeadComplete: Bool
  /// Whether anything of the request left.
  let isSent: Bool
  /// Whether no byte of a response came.
  let awaitsAnswer: Bool

  var error: TransportError {
    var error = reported
    if isHeadComplete, transfer.status >= 200 { error.status = transfer.status }
    if callback == nil, error.kind == .interrupted, isLostOnReuse || isLostStream {
      error.loss = .unanswered
    }
    return error
  }

  /// Whether a connection that was there before the request ended before an answer.
  private var isLostOnReuse: Bool {
    guard isSent, awaitsAnswer, transfer.connects == 0, code >= 0 else { return false }
    switch ccurl_code(UInt32(code)) {
    case CCURL_PARTIAL_FILE, CCURL_GOT_NOTHING, CCURL_RECV_ERROR, CCURL_SEND_ERROR, CCURL_HTTP2:
      return true
    default: return false
    }
  }

  /// Whether the request was a stream of a connection that had nothing more to do, because of GOAWAY.
  /// This happens to new connections, too. libcurl has no words for it, unlike for errors of frames.
  private var isLostStream: Bool {
    isSent && awaitsAnswer && code == Int32(CCURL_HTTP2.rawValue) && detail.isEmpty
  }

  private var reported: TransportError {
    if let callback, callback.kind != .refusedAddress || !isSuperseded { return callback }
    guard code >= 0 else { return TransportError(.other, reason) }
    switch ccurl_code(UInt32(code)) {
    case CCURL_COULDNT_RESOLVE_HOST:
      let limit = DescriptorLimit.reached.map { ": " + $0 } ?? ""
      return TransportError(.nameResolution, "could not resolve host '\(host)'\(limit)")
    case CCURL_COULDNT_RESOLVE_PROXY:
      return TransportError(.proxy, "the proxy's host cannot be resolved: \(reason)")
    case CCURL_COULDNT_CONNECT: return noConnection
    case CCURL_OPERATION_TIMEDOUT: return timeout
    case CCURL_PARTIAL_FILE, CCURL_GOT_NOTHING:
      return TransportError(.interrupted, "connection closed \(progress)")
    case CCURL_RECV_ERROR, CCURL_SEND_ERROR: return interruption
    case CCURL_HTTP2, CCURL_HTTP2_STREAM:
      return TransportError(.interrupted, "HTTP/2 stream broken \(progress): \(reason)")
    case CCURL_WEIRD_SERVER_REPLY:
      return TransportError(.interrupted, "the answer is not valid HTTP: \(reason)")
    case CCURL_UNSUPPORTED_PROTOCOL:
      return detail.contains(bytes: "HTTP/0.9") || detail.contains(bytes: "HTTP version")
        ? TransportError(.interrupted, "the answer is not HTTP")
        : TransportError(.unusable, reason)
    case CCURL_URL_MALFORMAT: return TransportError(.unusable, "the URL cannot be used: \(reason)")
    case CCURL_PEER_FAILED_VERIFICATION: return TransportError(.tls, certificateMessage)
    case CCURL_SSL_CONNECT_ERROR, CCURL_SSL_CIPHER, CCURL_SSL_ISSUER_ERROR:
      return TransportError(.tls, "TLS handshake with \(authority) failed: \(reason)")
    case CCURL_SSL_CERTPROBLEM, CCURL_SSL_CLIENTCERT:
      return TransportError(.tls, "client certificate: \(reason)")
    case CCURL_SSL_CACERT_BADFILE:
      return TransportError(.file, "the authorities' file cannot be used: \(reason)")
    case CCURL_READ_ERROR: return TransportError(.file, "the body cannot be read: \(reason)")
    case CCURL_PROXY_FAILED: return TransportError(.proxy, "the proxy failed: \(reason)")
    case CCURL_NOT_BUILT_IN:
      return TransportError(
        .unusable, "libcurl on this machine lacks a required feature: \(reason)")
    case CCURL_OUT_OF_MEMORY:
      // So libcurl 7.88 calls a header line that it does not take.
      return transfer.status > 0 && !isHeadComplete ? .headerTooLarge : .noMemory
    default: return TransportError(.other, reason)
    }
  }

  /// The host and port, as messages name them.
  private var authority: String {
    request.origin?.authority ?? URLText.shown(request.url)
  }

  private var host: String { request.origin?.host ?? URLText.shown(request.url) }

  /// libcurl's own text, or at least that of the code.
  private var reason: String {
    detail.isEmpty
      ? String(cString: ccurl_code_text(code)).lowercasedFirst
      : withoutProxy(detail).lowercasedFirst
  }

  /// libcurl quotes a proxy's URL as it was given, with its password, and cuts what is long.
  private func withoutProxy(_ detail: String) -> String {
    guard detail.contains("proxy") || detail.contains("Proxy"),
      let proxy = request.connection.proxy
        ?? environmentProxy,
      let open = detail.firstIndex(ascii: "'"), let close = detail.lastIndex(ascii: "'")
    else { return detail }
    let rest = open < close ? detail[close...].dropFirst(bytes: 1) : ""
    return detail[..<open] + "'" + URLText.shown(proxy) + "'" + rest
  }

  /// One address was refused, but another one of the host was then connected to.
  private var isSuperseded: Bool { transfer.connect_time > 0 && transfer.status > 0 }
}

// MARK: - Messages

extension TransferFailure {
  private var noConnection: TransportError {
    // Before an address was found, only the URL of the proxy is known.
    let target = address.map(\.text) ?? proxy.map { "'\(URLText.shown($0))'" } ?? authority
    let (kind, peer) = usesProxy ? (TransportError.Kind.proxy, "the proxy ") : (.connection, "")
    let failed = Int32(truncatingIfNeeded: transfer.os_error)
    switch failed {
    case ECONNREFUSED: return TransportError(kind, "connection refused by \(peer)\(target)")
    case EMFILE, ENFILE:
      return TransportError(
        kind, "no connection to \(peer)\(target): \(DescriptorLimit.text)")
    case 0:
      return TransportError(
        kind, "no connection to \(peer)\(target): \(DescriptorLimit.reached ?? reason)")
    default:
      let reason = String(cString: strerror(failed))
      return TransportError(kind, "no connection to \(peer)\(target): \(reason)")
    }
  }

  private var usesProxy: Bool { proxy != nil }

  /// The URL of the proxy; `nil` if there is none.
  private var proxy: String? {
    guard let own = request.connection.proxy else { return environmentProxy }
    return own.isEmpty ? nil : own
  }

  private var environmentProxy: String? {
    request.origin.flatMap {
      EnvironmentProxy.forOrigin($0, environment: EnvironmentProxy.variable)
    }
  }

  /// How far the answer had come.
  private var progress: String {
    if transfer.status == 0 { return "before any answer" }
    let got = transfer.bytes_received
    if transfer.content_length >= 0 {
      return "after \(got.grouped) of \(transfer.content_length.grouped) bytes"
    }
    return "after \(got.grouped) bytes, before the body's end"
  }

  private var interruption: TransportError {
    if transfer.connect_status != 0, !(200..<300).contains(transfer.connect_status) {
      return TransportError(.proxy, "the proxy answered CONNECT with \(transfer.connect_status)")
    }
    if detail.hasPrefix(bytes: "Too large response headers") { return .headerTooLarge }
    if detail.contains(bytes: "chunked-encoding") {
      return TransportError(.interrupted, "the answer is not valid HTTP: \(reason)")
    }
    if detail.contains(bytes: "CONNECT") {
      return TransportError(.proxy, "the proxy failed: \(reason)")
    }
    let failed = Int32(truncatingIfNeeded: transfer.os_error)
    if failed == ECONNRESET || failed == EPIPE || detail.hasSuffix(bytes: "reset by peer")
      || detail.hasSuffix(bytes: "Broken pipe")
    {
      return TransportError(.interrupted, "connection reset \(progress)")
    }
    return TransportError(.interrupted, "connection broken \(progress): \(reason)")
  }

  private var certificateMessage: String {
    if detail.contains(bytes: "subject name") {
      return "the server's certificate is not for host '\(host)'"
    }
    var text = detail[...]
    for prefix in ["SSL certificate problem: ", "SSL: "] where text.hasPrefix(bytes: prefix) {
      text = text.dropFirst(bytes: prefix.utf8.count)
    }
    return "the server's certificate is not trusted: \(text.isEmpty ? reason[...] : text)"
  }

  private var timeout: TransportError {
    let passed = Duration.microseconds(transfer.total_time)
    let limit = (request.statedTimeout ?? passed).shown
    // libcurl counts from when it first looks at a request.
    if passed == .zero, request.timeout != nil {
      return TransportError(.timeout, "no response within \(limit) (not begun in that time)")
    }
    if !isSent, isConnectLimitShorter { return connectTimeout }
    return TransportError(.timeout, timeoutMessage(limit))
  }

  private var isConnectLimitShorter: Bool {
    request.timeout.map { request.connectTimeout.milliseconds < $0.milliseconds } ?? true
  }

  private var connectTimeout: TransportError {
    let target = usesProxy ? "the proxy" + (address.map { " " + $0.text } ?? "") : authority
    let isSecure = request.origin?.isSecure == true
    let state =
      address == nil
      ? " (the host's name was not resolved)"
      // libcurl does not tell whether it was connected when the handshake took too long.
      : isSecure ? " (connecting and the TLS handshake)" : ""
    var error = TransportError(
      .timeout, "no connection to \(target) within \(request.connectTimeout.shown)\(state)")
    error.limit = .connect
    return error
  }

  /// The server has taken and sent nothing for as long as it may.
  var silence: TransportError {
    var error = TransportError(
      .timeout, "nothing received for \(request.silence.shown) (\(progress))")
    error.limit = .silence
    return error
  }

  private func timeoutMessage(_ limit: String) -> String {
    if transfer.status > 0 {
      return "no complete response within \(limit) (ended \(progress))"
    }
    let received = transfer.first_byte_time > 0 ? "the header not complete" : "no byte received"
    if isSent, transfer.connects == 0 {
      return "no response within \(limit) (on a reused connection, \(received))"
    }
    if transfer.connect_time > 0 {
      let connected = Duration.microseconds(max(transfer.connect_time, transfer.tls_time))
      return "no response within \(limit) (connected after \(connected.shown), "
        + (isSent ? "\(received))" : "the TLS handshake not done)")
    }
    return address == nil
      ? "no response within \(limit) (the host's name was not resolved)"
      : "no response within \(limit) (not connected)"
  }
}

extension TransportError {
  static var headerTooLarge: TransportError {
    TransportError(.responseTooLarge, "the answer's header is too large")
  }

  static var noMemoryLeft: TransportError {
    TransportError(.responseTooLarge, "no memory is left for the body")
  }

  static func tooLarge(_ limit: Int) -> TransportError {
    TransportError(.responseTooLarge, "body is larger than \(limit.sizeText) (limit)")
  }
}

extension BinaryInteger {
  /// As in `1,024`.
  var grouped: String {
    let digits = String(self)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// In the largest unit that leaves a whole number, as sizes are written in workflows.
  var sizeText: String {
    for (unit, shift) in [("GB", 30), ("MB", 20), ("KB", 10)]
    where self > 0 && self % (1 << Self(shift)) == 0 {
      return "\(self >> Self(shift))\(unit)"
    }
    return "\(grouped) bytes"
  }
}

extension String {
  /// As the continuation of a sentence. A name in capitals (`SSL`, `HTTP/2`) keeps them.
  fileprivate var lowercasedFirst: String {
    guard let first, dropFirst().first?.isUppercase != true else { return self }
    return first.lowercased() + dropFirst()
  }
}
