internal import CCurl
import PipelineKit

/// One of libcurl's easy handles, reused from request to request, and what its transfer has
/// received so far.
///
/// Lives on the reactor's thread. libcurl holds unretained pointers to this object; its calls come
/// from within `Lane`'s calls only, and a lane owns each handle that is in it.
final class EasyHandle {
  let handle: UnsafeMutableRawPointer
  let configuration: CurlTransport.Configuration
  private let share: UnsafeMutableRawPointer?
  unowned let reactor: Reactor
  private let errorText: UnsafeMutablePointer<CChar>

  private(set) var exchange: Exchange?
  /// The lane that the handle is in, and its place there.
  var lane: Lane?
  var slot = 0

  /// What the handle is set up for; `nil`: nothing yet.
  var setUp: SetUp?
  var serverURL: UnsafeMutableRawPointer?
  var headerList: UnsafeMutableRawPointer?
  var mime: UnsafeMutableRawPointer?
  var upload: Upload?
  var refusal = AddressRefusal.none

  /// The lines of the final response's header.
  private(set) var head: [UInt8] = []
  private(set) var body: [UInt8] = []
  private var bodyLimit = 0
  private var wantsBody = true
  private var droppedCount = 0
  private var isHeadComplete = false
  /// The body's length, where the header states it and no content coding changes it.
  private var announcedLength: Int?
  private var isCoded = false
  /// What a callback found wrong; libcurl itself then only says that it was stopped.
  var failure: TransportError?
  /// The last address that a socket was opened for.
  var lastAddress: SocketAddress?

  private static let errorSize = 256
  /// A piece of the body at most. Only what a transfer fills is ever touched.
  private static let bufferSize = 128 << 10
  private static let largestHead = 256 << 10
  private static let largestFirstReserve = 1 << 20

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

  /// Makes the handle ready to be added to a lane.
  func prepare(_ exchange: Exchange) throws(TransportError) {
    errorText[0] = 0
    bodyLimit = exchange.request.responseLimit
    wantsBody = exchange.request.wantsBody
    do throws(TransportError) {
      try configure(for: exchange.request)
    } catch {
      setUp = nil
      upload = nil
      throw error
    }
    self.exchange = exchange
  }

  /// Forgets the request and its response; the setting-up stays.
  func clear() {
    exchange = nil
    if upload != nil || mime != nil {
      // These bodies are of one request; the next one sets up anew.
      ccurl_easy_reset(handle)
      ccurl_mime_free(mime)
      mime = nil
      upload = nil
      setUp = nil
    }
    failure = nil
    lastAddress = nil
    head = []
    body = []
    droppedCount = 0
    isHeadComplete = false
    announcedLength = nil
    isCoded = false
  }

  /// What became of the transfer that ended with `code`.
  func outcome(_ code: Int32) -> Exchange.Outcome {
    var transfer = ccurl_transfer()
    ccurl_get_transfer(handle, &transfer)
    if code == Int32(CCURL_OK.rawValue), failure == nil {
      var response = HTTPResponse(
        status: transfer.status, headerBlock: head, body: body, version: transfer.versionText,
        timings: Timings(transfer))
      response.droppedCount = droppedCount
      return .success(response)
    }
    guard let request = exchange?.request else { return .failure(.cancelled) }
    let text = String(cString: errorText)
    return .failure(
      TransferFailure(
        code: code, detail: text, transfer: transfer, request: request, callback: failure,
        address: lastAddress, contentEncoding: contentEncoding, isHeadComplete: isHeadComplete
      ).error)
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
    try set(CCURL_ACCEPT_ENCODING, "")
    try set(CCURL_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds)
    try set(CCURL_SSL_VERIFYPEER, 1)
    try set(CCURL_SSL_VERIFYHOST, 2)
    if ccurl_set_text(handle, CCURL_PROTOCOLS_STR, "http,https") != Int32(CCURL_OK.rawValue) {
      // libcurl before 7.85.
      try set(CCURL_PROTOCOLS, Int(CCURL_PROTOCOL_HTTP) | Int(CCURL_PROTOCOL_HTTPS))
    }
    // Where libcurl was built without HTTP/2 this is refused, and HTTP/1.1 stays.
    _ = ccurl_set_long(handle, CCURL_HTTP_VERSION, Int(CCURL_HTTP_2TLS))
  }
}

// MARK: - What libcurl calls

extension EasyHandle {
  /// Takes one line of a header, line end included, or a trailer field, which is dropped; `false`
  /// ends the transfer.
  fileprivate func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
    if line.count >= 5, line[4] == UInt8(ascii: "/"), line[0] == UInt8(ascii: "H"),
      line[1] == UInt8(ascii: "T"), line[2] == UInt8(ascii: "T"), line[3] == UInt8(ascii: "P")
    {
      // A status line. Whatever came before was an interim response or an authentication round.
      head.removeAll(keepingCapacity: true)
      body.removeAll(keepingCapacity: true)
      droppedCount = 0
      head.reserveCapacity(512)
      isHeadComplete = false
      announcedLength = nil
      isCoded = false
      return true
    }
    guard !isHeadComplete else { return true }
    if line.count <= 2, line.allSatisfy({ $0 == 13 || $0 == 10 }) {
      isHeadComplete = true
      return true
    }
    guard line.count <= EasyHandle.largestHead - head.count else {
      failure = .headerTooLarge
      return false
    }
    head.append(contentsOf: line)
    if line[0] | 0x20 == UInt8(ascii: "c") { noteLength(line) }
    return true
  }

  /// Learns the body's length from a field of the header, if it states one.
  private func noteLength(_ line: UnsafeRawBufferPointer) {
    if line.startsIgnoringASCIICase("content-length:") {
      var length = 0
      for byte in line.dropFirst(15) where byte &- 48 < 10 {
        length = min(length, Int.max / 100) * 10 + Int(byte &- 48)
      }
      announcedLength = length
    } else if line.startsIgnoringASCIICase("content-encoding:") {
      isCoded = true
    }
    // What counts is the decoded length, which no field states.
    if isCoded { announcedLength = nil }
  }

  /// Takes a piece of the decoded body; `false` ends the transfer.
  fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if body.isEmpty { reserveBody() }
    guard failure == nil else { return false }
    guard bytes.count <= bodyLimit - body.count - droppedCount else {
      failure = .tooLarge(bodyLimit)
      return false
    }
    guard wantsBody else {
      let kept = bytes.prefix(max(0, HTTPResponse.excerptSize - body.count))
      body.append(contentsOf: kept)
      droppedCount += bytes.count - kept.count
      return true
    }
    if body.capacity < body.count + bytes.count, body.count >= EasyHandle.largestFirstReserve {
      // So much has come that the announced length is believed: one allocation of it all.
      if let length = announcedLength { body.reserveCapacity(min(length, bodyLimit)) }
    }
    body.append(contentsOf: bytes)
    return true
  }

  /// Makes room for the body as announced, or refuses it by that alone.
  private func reserveBody() {
    guard let length = announcedLength else { return }
    if length > bodyLimit {
      failure = .tooLarge(bodyLimit)
    } else {
      let most = wantsBody ? EasyHandle.largestFirstReserve : HTTPResponse.excerptSize
      body.reserveCapacity(min(length, most))
    }
  }

  private var contentEncoding: String? {
    HTTPResponse(
      status: 0, headerBlock: head, body: [], version: "", timings: Timings()
    ).header("content-encoding")
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
  // Any other number than that of the bytes ends the transfer; -1 is one that no piece has.
  return easy.receiveBody(piece) ? piece.count : -1
}

extension UnsafeRawBufferPointer {
  /// `text` is in lower case.
  func startsIgnoringASCIICase(_ text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { index in
      let byte = self[index]
      return (byte &- 65 < 26 ? byte | 0x20 : byte) == text.utf8Start[index]
    }
  }
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
  /// The version as in `HTTPResponse.version`.
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
