internal import CPipelineCodings
internal import CPipelineCurl
internal import CPipelineZlib
internal import PipelineByteText

/// A content coding (RFC 9110 §8.4.1) whose end can be seen.
enum ContentCoding: String {
  case gzip
  case deflate
  case brotli = "br"
  case zstd

  /// The coding that a member of `Content-Encoding` names.
  init?(name: String) {
    let name = name.lowercasedASCII
    self.init(rawValue: name == "x-gzip" ? "gzip" : name)
  }

  /// Whether its library is on this machine.
  var isAvailable: Bool {
    switch self {
    case .gzip, .deflate: czlib_load() == nil
    case .brotli: ccodings_load(CCODINGS_BROTLI) == nil
    case .zstd: ccodings_load(CCODINGS_ZSTD) == nil
    }
  }

  /// The codings that a server may choose, as `Accept-Encoding` lists them. libcurl has loaded what
  /// it uses itself, and no other library is loaded for them.
  static let offered: String = {
    let features = UInt32(bitPattern: ccurl_features())
    let codings: [(ccurl_feature, ContentCoding)] = [
      (CCURL_FEATURE_LIBZ, .gzip), (CCURL_FEATURE_BROTLI, .brotli), (CCURL_FEATURE_ZSTD, .zstd),
    ]
    return codings.filter { features & $0.0.rawValue != 0 && $0.1.isAvailable }.map(\.1.rawValue)
      .joined(separator: ", ")
  }()
}
