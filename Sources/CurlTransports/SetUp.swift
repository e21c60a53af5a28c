internal import CPipelineCurl
internal import PipelineByteText
internal import PipelineFormats
internal import PipelineHTTPTerms
import PipelineTransports
internal import PipelineURIs

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The settings of a handle. Settings that two requests in a row share are not set again.
///
/// A class, so that it is read in place.
final class SetUp {
  /// How the request reaches libcurl, which decides what must be set.
  enum Shape: Equatable {
    case noBody, head, bytes
    /// Set up again for each request.
    case streamed, multipart

    init(_ request: TransportRequest) {
      self =
        switch request.body {
        case .none where request.method == "HEAD": .head
        case .none: HTTPMethod.hasContent(request.method) ? .bytes : .noBody
        case .bytes(let bytes):
          bytes.count <= Upload.largestCopy || request.connection.signs ? .bytes : .streamed
        case .file: request.connection.signs ? .bytes : .streamed
        case .multipart: .multipart
        }
    }
  }

  let shape: Shape
  let method: String
  let connection: ConnectionSettings
  var url = ""
  /// The part of `url` before its path, if libcurl got both separately; else empty.
  var server = ""
  var headers: [HeaderField]?
  var timeout: Duration?
  var connectTimeout: Duration?
  var silence: Duration?
  var usesNewConnection = false

  init(_ request: TransportRequest, _ shape: Shape) {
    self.shape = shape
    method = request.method
    connection = request.connection
  }

  func fits(_ request: TransportRequest, _ shape: Shape) -> Bool {
    shape == self.shape && request.method == method && request.connection == connection
  }
}

extension ConnectionSettings {
  /// The request is signed, with its body's hash: libcurl needs the whole body beforehand.
  var signs: Bool {
    if case .awsSigV4 = credentials { true } else { false }
  }

  /// Whether requests may go through a proxy: that of the settings, or else the environment's.
  var mayHaveProxy: Bool { proxy.map { !$0.isEmpty } ?? EnvironmentProxy.isNamed }
}

extension EasyHandle {
  func configure(for request: TransportRequest) throws(TransportError) {
    let shape = SetUp.Shape(request)
    let setUp =
      if let setUp, setUp.fits(request, shape) { setUp } else { try begin(request, shape) }
    refusal = .none
    if !setUp.url.equals(bytes: request.url) {
      try apply(url: request.url, request.origin)
      setUp.url = request.url
    }
    if request.connection.refusesPrivateAddresses { try refusePrivateAddresses(request) }
    if setUp.headers != request.headers {
      try apply(headers: request.headers, shape, request.connection)
      setUp.headers = request.headers
    }
    if setUp.timeout != request.timeout {
      try set(CCURL_TIMEOUT_MS, request.timeout?.milliseconds ?? 0)
      setUp.timeout = request.timeout
    }
    if setUp.connectTimeout != request.connectTimeout {
      try set(CCURL_CONNECTTIMEOUT_MS, request.connectTimeout.milliseconds)
      setUp.connectTimeout = request.connectTimeout
    }
    if setUp.silence != request.silence {
      progress.limit = UInt64(request.silence.milliseconds) * 1_000_000
      setUp.silence = request.silence
    }
    if setUp.usesNewConnection != request.usesNewConnection {
      if isAsked { try set(CCURL_FRESH_CONNECT, request.usesNewConnection ? 1 : 0) }
      setUp.usesNewConnection = request.usesNewConnection
    }
    try apply(request.body, shape)
    upload?.transfer = request.transfer
  }

  /// Sets up all but URL, headers, time limits and body's content.
  private func begin(_ request: TransportRequest, _ shape: SetUp.Shape) throws(TransportError)
    -> SetUp
  {
    guard request.method.isToken,
      request.method != "CONNECT"
    else { throw TransportError(.unusable, "'\(request.method)' is not a method to send") }
    ccurl_easy_reset(handle)
    ccurl_mime_free(mime)
    mime = nil
    let setUp = SetUp(request, shape)
    self.setUp = setUp
    try applyBase()
    try apply(request.connection)
    switch shape {
    case .noBody: try set(CCURL_HTTPGET, 1)
    case .head: try set(CCURL_NOBODY, 1)
    case .bytes, .streamed: try set(CCURL_POST, 1)
    case .multipart: break
    }
    if shape != .head, request.method == "HEAD" {
      throw TransportError(.unusable, "a HEAD request cannot carry a body")
    }
    // libcurl names GET, HEAD and POST itself.
    switch (shape, request.method) {
    case (.noBody, "GET"), (.head, _), (.bytes, "POST"), (.streamed, "POST"): break
    default: try set(CCURL_CUSTOMREQUEST, request.method)
    }
    return setUp
  }

  private func apply(
    headers: [HeaderField], _ shape: SetUp.Shape, _ connection: ConnectionSettings
  ) throws(TransportError) {
    var list: UnsafeMutableRawPointer?
    func append(_ line: String) throws(TransportError) {
      guard let longer = ccurl_list_append(list, line) else {
        ccurl_list_free(list)
        throw TransportError(.other, "no memory is left for a header")
      }
      list = longer
    }
    var hasContentType = false
    // libcurl would write these two again for each request. From a list it takes them as they are.
    // libcurl adds the fields that it signs.
    if !connection.signs {
      for (name, value) in [
        ("User-Agent", configuration.userAgent), ("Accept-Encoding", ContentCoding.offered),
      ] where !value.isEmpty && !headers.contains(where: { $0.name.equalsIgnoringASCIICase(name) })
      {
        try append("\(name): \(value)")
      }
    }
    for field in headers {
      guard field.name.isToken else {
        ccurl_list_free(list)
        throw TransportError(.unusable, "'\(field.name)' is not a header name")
      }
      guard !field.value.utf8.contains(where: FieldValue.isControl) else {
        ccurl_list_free(list)
        throw TransportError(.unusable, "header '\(field.name)' holds a control character")
      }
      if field.name.equalsIgnoringASCIICase("content-type") { hasContentType = true }
      // libcurl drops a field without a value, unless it is written with a semicolon.
      let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      try append(isBlank ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    if case .awsSigV4(_, _, _, _, let token?) = connection.credentials {
      try append("X-Amz-Security-Token: \(token)")
    }
    if shape == .bytes || shape == .streamed || shape == .multipart {
      // Fields that libcurl would add by itself: a type that the author did not choose, and a wait
      // for consent.
      if shape != .multipart, !hasContentType { try append("Content-Type:") }
      try append("Expect:")
    }
    let old = headerList
    headerList = list
    defer { ccurl_list_free(old) }
    try check(ccurl_set_pointer(handle, CCURL_HTTPHEADER, list), "headers")
  }

  func set(_ option: ccurl_option, _ value: Int) throws(TransportError) {
    try check(ccurl_set_long(handle, option, value), "option \(option.rawValue)")
  }

  func set(_ option: ccurl_option, _ value: String?) throws(TransportError) {
    try check(ccurl_set_text(handle, option, value), "option \(option.rawValue)")
  }

  func set(_ option: ccurl_option, _ value: UnsafeMutableRawPointer) throws(TransportError) {
    try check(ccurl_set_pointer(handle, option, value), "option \(option.rawValue)")
  }

  func check(_ code: Int32, _ subject: @autoclosure () -> String) throws(TransportError) {
    guard code != Int32(CCURL_OK.rawValue) else { return }
    let reason = String(cString: ccurl_code_text(code))
    throw TransportError(
      .unusable, "libcurl \(String(cString: ccurl_version())) refuses \(subject()): \(reason)")
  }
}
