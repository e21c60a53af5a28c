internal import CPipelineCodings
internal import CPipelineZlib
internal import PipelineByteText

/// A content coding (RFC 9110 §8.4.1) whose end can be seen.
package enum ContentCoding: String {
  case gzip
  case deflate
  case brotli = "br"
  case zstd

  /// The coding that a member of `Content-Encoding` names.
  package init?(name: String) {
    let name = name.lowercasedASCII
    self.init(rawValue: name == "x-gzip" ? "gzip" : name)
  }

  /// Why its library cannot be loaded; `nil` if it is.
  package var problem: String? {
    let problem =
      switch self {
      case .gzip, .deflate: czlib_load()
      case .brotli: ccodings_load(CCODINGS_BROTLI)
      case .zstd: ccodings_load(CCODINGS_ZSTD)
      }
    return problem.map { String(cString: $0) }
  }
}
