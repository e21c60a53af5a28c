internal import CPipelineCurl
internal import PipelineByteText
import PipelineTransports
internal import PipelineURIs

// libcurl takes a URL apart for each request, and puts it together again. Most requests go to the
// server of the one before. The handle keeps that server's URL in parts, and libcurl gets only the
// new path.
extension EasyHandle {
  /// - Parameter origin: That of the URL; `nil` if its host has a form that only libcurl reads.
  func apply(url: String, _ origin: Origin?) throws(TransportError) {
    var url = url
    let form = url.withUTF8 { URLForm(UnsafeRawBufferPointer($0), isSecure: origin?.isSecure) }
    if let problem = form.problem { throw TransportError(.unusable, problem) }
    guard let pathStart = form.pathStart, try setServer(of: url, upTo: pathStart, form) else {
      try forgetServer()
      try set(CCURL_URL, url)
      try setPatience(form)
      return
    }
    // This is sent byte for byte.
    let code = url.withCString { ccurl_set_text(handle, CCURL_REQUEST_TARGET, $0 + pathStart) }
    try check(code, "the URL's path")
  }

  /// A proxy needs whole URLs, and signatures cover their paths.
  private var mayTellPathApart: Bool {
    guard let connection = setUp?.connection else { return false }
    return connection.credentials == nil && !connection.mayHaveProxy
  }

  /// Sets the URL up to its path, unless it is set already; `false`: libcurl needs the whole URL.
  private func setServer(
    of url: String, upTo pathStart: Int, _ form: URLForm
  ) throws(TransportError) -> Bool {
    guard mayTellPathApart else { return false }
    if let server = setUp?.server, server.utf8.count == pathStart, url.hasPrefix(bytes: server) {
      return true
    }
    let server = String(decoding: url.utf8.prefix(pathStart), as: UTF8.self)
    guard let parsed = ccurl_url_parse(server) else { return false }
    guard ccurl_set_pointer(handle, CCURL_CURLU, parsed) == Int32(CCURL_OK.rawValue) else {
      ccurl_url_free(parsed)
      return false
    }
    ccurl_url_free(serverURL)
    serverURL = parsed
    setUp?.server = server
    try setPatience(form)
    return true
  }

  private func forgetServer() throws(TransportError) {
    guard setUp?.server.isEmpty == false else { return }
    setUp?.server = ""
    try check(ccurl_set_pointer(handle, CCURL_CURLU, nil), "the URL")
    try set(CCURL_REQUEST_TARGET, nil)
  }

  /// Whether to wait for the first connection to learn if it takes many requests at once (HTTP/2).
  private func setPatience(_ form: URLForm) throws(TransportError) {
    try set(CCURL_PIPEWAIT, form.isSecure ? 1 : 0)
  }
}

/// The facts about a URL that libcurl needs.
private struct URLForm {
  let isSecure: Bool
  /// Where the path begins, if there is one and libcurl would send all that follows as it is.
  private(set) var pathStart: Int?
  /// Why it cannot be sent.
  private(set) var problem: String?

  /// - Parameter known: Whether it is an https URL; `nil` if the text has to be looked at.
  init(_ url: UnsafeRawBufferPointer, isSecure known: Bool?) {
    isSecure = known ?? url.startsIgnoringASCIICase("https://")
    guard known != nil || isSecure || url.startsIgnoringASCIICase("http://") else {
      problem = "the URL is neither http: nor https:"
      return
    }
    var isPlain = true
    for index in (isSecure ? 8 : 7)..<url.count {
      switch url[index] {
      case ...0x20, 0x7F: problem = "the URL holds a space or a control character"
      case UInt8(ascii: "/"): pathStart = pathStart ?? index
      case UInt8(ascii: "?"): isPlain = isPlain && pathStart != nil
      case UInt8(ascii: "#"), 0x80...: isPlain = false
      default: break
      }
    }
    if !isPlain { pathStart = nil }
  }
}
