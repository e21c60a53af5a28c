internal import CPipelineCurl
internal import PipelineByteText
internal import PipelineHTTPTerms
import PipelineTransports

// libcurl sends a request again by itself when a connection that it reused ends before an answer,
// whatever the method is. It calls back each time before a request leaves. A second time is refused
// unless the server has answered in between, because the engine decides what is sent again.
extension EasyHandle {
  /// Makes libcurl call back each time before a request leaves.
  func applySending() throws(TransportError) {
    try set(CCURL_PREREQDATA, Unmanaged.passUnretained(self).toOpaque())
    if ccurl_set_ready_function(handle, onReady) == Int32(CCURL_OK.rawValue) { return }
    // libcurl before 7.80 does not ask. On separate connections, without HTTP/2, requests are not
    // sent again either.
    isAsked = false
    try set(CCURL_FRESH_CONNECT, 1)
    try set(CCURL_HTTP_VERSION, Int(CCURL_HTTP_1_1))
  }

  /// Makes a transfer that was held back before its next round ready to be added to a lane again.
  /// libcurl continues with the authentication that it knows.
  func prepareNextRound() throws(TransportError) {
    isHeldBack = false
    errorText[0] = 0
    if upload?.seek(to: 0) == false {
      throw TransportError(.other, "the body cannot be sent again")
    }
    guard let exchange, let timeout = exchange.request.timeout else { return }
    let left = min(timeout - timeOfRounds, exchange.meter.timeLimit ?? timeout)
    try set(CCURL_TIMEOUT_MS, max(left, .zero).milliseconds)
    setUp?.timeout = left
  }

  /// The transfer is over, because its next round has to wait.
  func holdBack() {
    var transfer = ccurl_transfer()
    ccurl_get_response(handle, &transfer)
    timeOfRounds += .microseconds(transfer.total_time)
  }

  /// Counts a request that libcurl will send without asking.
  func countUnasked(_ exchange: Exchange) throws(TransportError) {
    guard !isAsked else { return }
    guard exchange.meter.begin() == .leaves else { throw .limited }
    sentCount += 1
  }

  /// Whether libcurl is about to send what it has sent already.
  var isSecondSending: Bool {
    guard sentCount > 0, awaitsAnswer else { return false }
    // A server that wants HTTP/1.1 has answered that, and nothing else (RFC 9113 §7).
    return sentCount > 1 || !failureDetail.contains(bytes: "HTTP_1_1_REQUIRED")
  }

  /// Ends the transfer whose connection ended before an answer.
  func refuseSecondSending() {
    failure = TransportError(
      .interrupted, "kept connection \(endingVerb) before any answer", loss: .unanswered)
  }

  private var endingVerb: String {
    let wasReset =
      failureDetail.contains(bytes: "reset") || failureDetail.contains(bytes: "Broken pipe")
    return wasReset ? "reset" : "closed"
  }

  /// Whether the request may leave, on a connection to `address` from the local port `port`.
  fileprivate func mayLeave(to address: UnsafePointer<CChar>, from port: Int32) -> Bool {
    if isSecondSending {
      refuseSecondSending()
      return false
    }
    guard mayUse(address) else { return false }
    guard !isForOneTry || !reactor.hasEnded(localPort: port) else {
      failure = TransportError(
        .interrupted, "kept connection closed before the request was sent", loss: .unprocessed)
      return false
    }
    switch exchange?.meter.begin() {
    case .leaves: break
    case .waits:
      isHeldBack = true
      return false
    case .isRefused, nil:
      failure = .limited
      return false
    }
    sentCount += 1
    awaitsAnswer = true
    progress.restart(localPort: port)
    return true
  }

  /// Whether the request must not be sent again if it is lost. libcurl checks a connection before
  /// it reuses it, but does not see every end.
  private var isForOneTry: Bool {
    exchange.map { !HTTPMethod.isIdempotent($0.request.method) } ?? true
  }
}

extension TransportError {
  init(_ kind: Kind, _ message: String, loss: Loss) {
    self.init(kind, message)
    self.loss = loss
  }

  fileprivate static var limited: TransportError {
    TransportError(.cancelled, "a limit is reached")
  }
}

private let onReady: ccurl_ready_function = { context, remote, _, _, port in
  guard let context, let remote else { return Int32(CCURL_PREREQ_ABORT) }
  let easy = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
  let mayLeave = easy.mayLeave(to: remote, from: port)
  return Int32(mayLeave ? CCURL_PREREQ_OK : CCURL_PREREQ_ABORT)
}
