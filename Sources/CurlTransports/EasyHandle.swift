internal import CPipelineCurl
internal import PipelineByteText
internal import PipelineFormats
import PipelineTransports

/// One of libcurl's easy handles, reused from request to request, and the response so far.
///
/// Lives on the reactor's thread. libcurl holds unretained pointers to this object. It calls back
/// only from within `Lane`'s calls, and a lane owns each handle in it.
final class EasyHandle {
  let handle: UnsafeMutableRawPointer
  let configuration: CurlTransport.Configuration
  private let share: UnsafeMutableRawPointer?
  unowned let reactor: Reactor
  let errorText: UnsafeMutablePointer<CChar>

  private(set) var exchange: Exchange?
  /// The lane that the handle is in, and its place there.
  var lane: Lane?
  var slot = 0

  /// The settings that the handle has; `nil` if there is none yet.
  var setUp: SetUp?
  var serverURL: UnsafeMutableRawPointer?
  var headerList: UnsafeMutableRawPointer?
  var mime: UnsafeMutableRawPointer?
  var upload: Upload?
  var refusal = AddressRefusal.none

  /// The response so far. No access to it calls back, so none is checked for another that is under
  /// way: a header has many lines.
  @exclusivity(unchecked) private var received = ReceivedResponse()
  /// A problem that a callback found. libcurl itself then reports only that it was stopped.
  var failure: TransportError?
  /// The number of times that the request left, and whether any byte of a response has come since.
  var sentCount = 0
  var awaitsAnswer = false
  /// Whether the next round of the request has to wait for its turn, and how long the earlier ones
  /// took.
  var isHeldBack = false
  var timeOfRounds = Duration.zero
  /// Whether libcurl calls back before a request leaves.
  var isAsked = true
  /// Whether bytes still come and go.
  var progress = Progress()
  /// The last address that a socket was opened for.
  var lastAddress: SocketAddress?

  private static let errorSize = 256
  /// The largest piece of the body. Only the part that a transfer fills is ever touched. libcurl
  /// allocates it for each transfer. At twice the size, the allocator would return it to the kernel
  /// each time.
  private static let bufferSize = 64 << 10

  init?(
    _ configuration: CurlTransport.Configuration, share: UnsafeMutableRawPointer?, reactor: Reactor
  ) {
    guard let handle = ccurl_easy_init() else { return nil }
    self.handle = handle
    self.configuration = configuration
    self.share = share
    self.reactor = reactor
    errorText = .allocate(capacity: EasyHandle.errorSize)
    errorText.initialize(repeating: 0, count: EasyHandle.errorSize)
  }

  deinit {
    ccurl_easy_cleanup(handle)
    ccurl_url_free(serverURL)
    ccurl_list_free(headerList)
    ccurl_mime_free(mime)
    errorText.deallocate()
  }

  /// Whether the request goes over TLS.
  var isSecure: Bool { exchange?.request.url.hasPrefix(bytes: "https") ?? true }

  /// Makes the handle ready to be added to a lane.
  func prepare(_ exchange: Exchange) throws(TransportError) {
    errorText[0] = 0
    received = ReceivedResponse(exchange.request)
    do throws(TransportError) {
      try configure(for: exchange.request)
    } catch {
      setUp = nil
      upload = nil
      throw error
    }
    sentCount = 0
    awaitsAnswer = false
    isHeldBack = false
    timeOfRounds = .zero
    progress.restart(localPort: 0)
    try countUnasked(exchange)
    self.exchange = exchange
  }

  /// Forgets the request and its response, but keeps the settings.
  func clear() {
    exchange = nil
    if upload != nil || mime != nil {
      // These bodies belong to one request, and the next one sets its own.
      ccurl_easy_reset(handle)
      ccurl_mime_free(mime)
      mime = nil
      upload = nil
      setUp = nil
    }
    failure = nil
    lastAddress = nil
    received = ReceivedResponse()
  }

  /// libcurl's text on the last failure of the transfer.
  var failureDetail: String { String(cString: errorText) }

  /// The outcome of the transfer that ended with `code`.
  func outcome(_ code: Int32) -> Exchange.Outcome {
    var transfer = ccurl_transfer()
    if code == Int32(CCURL_OK.rawValue), failure == nil, !received.isHeadComplete {
      // libcurl takes the end of the connection for the end of the header.
      failure = TransportError(.interrupted, "connection closed within the answer's header")
    }
    if code == Int32(CCURL_OK.rawValue), failure == nil, let coding = received.unfinishedCoding {
      failure = TransportError(
        .interrupted, "the answer ends within its \(coding.rawValue) content")
    }
    if code == Int32(CCURL_OK.rawValue) || received.isCut, failure == nil {
      ccurl_get_response(handle, &transfer)
      return .success(
        TransportResponse(
          status: transfer.status, headerBlock: received.head, body: received.body,
          droppedCount: received.droppedCount, version: transfer.versionText,
          timings: Timings(transfer)))
    }
    return .failure(transferFailure(code)?.error ?? .cancelled)
  }

  /// The outcome of a transfer that has been silent for too long.
  var silence: TransportError {
    transferFailure(Int32(CCURL_OPERATION_TIMEDOUT.rawValue))?.silence ?? .cancelled
  }

  private func transferFailure(_ code: Int32) -> TransferFailure? {
    guard let request = exchange?.request else { return nil }
    var transfer = ccurl_transfer()
    ccurl_get_transfer(handle, &transfer)
    return TransferFailure(
      code: code, detail: failureDetail, transfer: transfer, request: request, callback: failure,
      address: lastAddress, isHeadComplete: received.isHeadComplete, isSent: sentCount > 0,
      awaitsAnswer: awaitsAnswer)
  }

  /// Sets what no request changes.
  func applyBase() throws(TransportError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let reactorContext = Unmanaged.passUnretained(reactor).toOpaque()
    try set(CCURL_PRIVATE, context)
    try set(CCURL_ERRORBUFFER, UnsafeMutableRawPointer(errorText))
    try set(CCURL_WRITEDATA, context)
    try set(CCURL_HEADERDATA, context)
    try set(CCURL_OPENSOCKETDATA, context)
    try set(CCURL_CLOSESOCKETDATA, reactorContext)
    try check(ccurl_set_bytes_function(handle, CCURL_WRITEFUNCTION, onBody), "callbacks")
    try check(ccurl_set_bytes_function(handle, CCURL_HEADERFUNCTION, onHeaderLine), "callbacks")
    try check(ccurl_set_open_function(handle, onOpenSocket), "callbacks")
    try check(ccurl_set_close_function(handle, onCloseSocket), "callbacks")
    if let share { try set(CCURL_SHARE, share) }
    try set(CCURL_NOSIGNAL, 1)
    try set(CCURL_SUPPRESS_CONNECT_HEADERS, 1)
    try set(CCURL_TCP_KEEPALIVE, 1)
    try set(CCURL_PATH_AS_IS, 1)
    try set(CCURL_BUFFERSIZE, EasyHandle.bufferSize)
    // libcurl takes a coded body that ends early for a whole one, so bodies are decoded here.
    let codings = ContentCoding.offered
    try set(CCURL_ACCEPT_ENCODING, codings.isEmpty ? nil : codings)
    try set(CCURL_HTTP_CONTENT_DECODING, 0)
    try set(CCURL_SSL_VERIFYPEER, 1)
    try set(CCURL_SSL_VERIFYHOST, 2)
    if ccurl_set_text(handle, CCURL_PROTOCOLS_STR, "http,https") != Int32(CCURL_OK.rawValue) {
      // libcurl before 7.85.
      try set(CCURL_PROTOCOLS, Int(CCURL_PROTOCOL_HTTP) | Int(CCURL_PROTOCOL_HTTPS))
    }
    // Where libcurl was built without HTTP/2 this is refused, and HTTP/1.1 stays.
    _ = ccurl_set_long(handle, CCURL_HTTP_VERSION, Int(CCURL_HTTP_2TLS))
    try applySending()
  }
}

// MARK: - What libcurl calls

extension EasyHandle {
  /// Takes one line of a header; `false` ends the transfer.
  fileprivate func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
    awaitsAnswer = false
    guard let problem = received.takeHeaderLine(line) else { return true }
    failure = problem
    return false
  }

  /// Takes a piece of the decoded body; `false` ends the transfer.
  fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if let problem = received.takeBody(bytes) { failure = problem }
    return failure == nil && !received.isCut
  }
}

private let onHeaderLine: ccurl_bytes_function = { bytes, size, count, context in
  guard let bytes, let context else { return 0 }
  let easy = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return easy.receiveHeaderLine(line) ? line.count : 0
}

private let onBody: ccurl_bytes_function = { bytes, size, count, context in
  guard let bytes, let context else { return 0 }
  let easy = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
  let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
  // Any number other than the count of bytes ends the transfer, and no piece has -1 bytes.
  return easy.receiveBody(piece) ? piece.count : -1
}

extension Timings {
  init(_ transfer: ccurl_transfer) {
    self.init()
    reusedConnection = transfer.connects == 0
    if !reusedConnection {
      nameLookup = .microseconds(transfer.name_lookup_time)
      connect = .microseconds(transfer.connect_time)
      tls = .microseconds(transfer.tls_time)
    }
    firstByte = .microseconds(transfer.first_byte_time)
    total = .microseconds(transfer.total_time)
  }
}

extension ccurl_transfer {
  /// The version as in `TransportResponse.version`.
  var versionText: String {
    switch http_version {
    case 1: "1.0"
    case 3: "2"
    case 30: "3"
    default: "1.1"
    }
  }
}

extension Duration {
  /// Whole milliseconds, at least one: libcurl takes 0 for "no limit".
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 1_000_000_000 else { return 1_000_000_000_000 }
    return max(1, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
