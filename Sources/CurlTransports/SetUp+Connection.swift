internal import CPipelineCurl
internal import CPipelineSockets
import PipelineTransports
internal import PipelineURIs

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Which requests may share a connection: `Lane.Key`. Digest and signatures are of the request, not of
// the connection.
extension EasyHandle {
  func apply(_ connection: ConnectionSettings) throws(TransportError) {
    try applyTLS(connection)
    if let proxy = connection.proxy {
      try check(ccurl_set_text(handle, CCURL_PROXY, proxy), "proxy '\(URLText.shown(proxy))'")
      // A proxy that is named is used, whatever the environment exempts.
      try set(CCURL_NOPROXY, "")
    } else if !EnvironmentProxy.isNamed {
      // libcurl would look for each request.
      try set(CCURL_PROXY, "")
      try set(CCURL_NOPROXY, "")
    }
    if connection.mayHaveProxy || connection.signs {
      // For a proxy's CONNECT, and for signing. Otherwise it is in the list of header fields.
      try set(CCURL_USERAGENT, configuration.userAgent)
    }
    switch connection.credentials {
    case nil: break
    case .digest(let user, let password):
      try set(CCURL_HTTPAUTH, Int(CCURL_AUTH_DIGEST))
      try set(CCURL_USERNAME, user)
      try set(CCURL_PASSWORD, password)
    case .awsSigV4(let service, let region, let accessKey, let secretKey, _):
      try check(
        ccurl_set_text(handle, CCURL_AWS_SIGV4, "aws:amz:\(region):\(service)"),
        "AWS signatures")
      try set(CCURL_USERNAME, accessKey)
      try set(CCURL_PASSWORD, secretKey)
    }
  }

  private func applyTLS(_ connection: ConnectionSettings) throws(TransportError) {
    if let path = connection.caFile {
      try checkReadable(path, "the authorities' file")
      try set(CCURL_CAINFO, path)
      // In place of the system's authorities, not beside them.
      try set(CCURL_CAPATH, nil)
    }
    if let path = connection.certificateFile {
      try checkReadable(path, "the client certificate")
      try set(CCURL_SSLCERT, path)
    }
    if let path = connection.keyFile {
      try checkReadable(path, "the client certificate's key")
      try set(CCURL_SSLKEY, path)
    }
  }

  private func checkReadable(_ path: String, _ subject: String) throws(TransportError) {
    if access(path, R_OK) != 0 {
      throw TransportError(
        .file, "\(subject) '\(path)' cannot be read: \(String(cString: strerror(errno)))")
    }
  }

  /// Refuses private addresses when a socket is opened, and again when a connection is reused,
  /// which another request may have opened.
  func refusePrivateAddresses(_ request: TransportRequest) throws(TransportError) {
    guard let origin = request.origin else {
      throw TransportError(.refusedAddress, "the URL's host has a form that hides its address")
    }
    if let reason = AddressRule.reasonToRefuse(literalHost: origin.host) {
      throw TransportError(.refusedAddress, "'\(origin.host)' is \(reason)")
    }
    // Behind a proxy the address is the proxy's business: which one the host has is not seen here.
    if let proxy = request.connection.proxy {
      refusal = proxy.isEmpty ? .direct : .proxied
    } else if let proxy = EnvironmentProxy.forOrigin(origin, environment: EnvironmentProxy.variable)
    {
      refusal = .proxied
      try set(CCURL_PROXY, proxy)
      try set(CCURL_NOPROXY, "")
    } else {
      refusal = .direct
      try set(CCURL_PROXY, "")
    }
  }
}

/// Whether a request's addresses are looked at.
enum AddressRefusal {
  case none, direct, proxied
}

// MARK: - What libcurl calls

extension EasyHandle {
  fileprivate func openSocket(_ address: UnsafeMutablePointer<ccurl_address>) -> Int32 {
    guard !isSecondSending else {
      refuseSecondSending()
      return Int32(CCURL_SOCKET_BAD)
    }
    let target = withUnsafePointer(to: &address.pointee.address) {
      SocketAddress(UnsafeRawPointer($0), count: Int(address.pointee.length))
    }
    lastAddress = target
    if refusal == .direct {
      guard let target else { return Int32(CCURL_SOCKET_BAD) }
      if let reason = AddressRule.reasonToRefuse(target.bytes) {
        failure = TransportError(.refusedAddress, "\(target.text) is \(reason)")
        return Int32(CCURL_SOCKET_BAD)
      }
    }
    let (family, kind) = (address.pointee.family, address.pointee.type)
    let descriptor = csockets_socket(family, kind, address.pointee.protocol)
    if descriptor >= 0 {
      if failure?.kind == .refusedAddress { failure = nil }
      reactor.didOpen(descriptor)
    } else {
      let code = errno
      let advice =
        code == EMFILE || code == ENFILE
        ? "; raise the limit ('ulimit -n'), or send fewer requests at once" : ""
      failure = TransportError(
        .connection, "no socket can be opened: \(String(cString: strerror(code)))\(advice)")
    }
    return descriptor
  }

  func mayUse(_ address: UnsafePointer<CChar>) -> Bool {
    guard refusal == .direct else { return true }
    let address = String(cString: address)
    guard let bytes = SocketAddress.bytes(ofLiteral: address),
      let reason = AddressRule.reasonToRefuse(bytes)
    else { return true }
    failure = TransportError(.refusedAddress, "\(address) is \(reason)")
    return false
  }
}

let onOpenSocket: ccurl_open_function = { context, _, address in
  guard let context, let address else { return Int32(CCURL_SOCKET_BAD) }
  return Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue().openSocket(address)
}

/// Its context is the reactor: a connection outlives the handle that opened it.
let onCloseSocket: ccurl_close_function = { context, descriptor in
  if let context {
    Unmanaged<Reactor>.fromOpaque(context).takeUnretainedValue().willClose(descriptor)
  }
  return close(descriptor)
}
