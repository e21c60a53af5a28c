internal import CPipelineCurl
internal import PipelineFormats

extension ContentCoding {
  /// The codings that a server may choose, as `Accept-Encoding` lists them. libcurl has loaded what
  /// it uses itself, and no other library is loaded for them.
  static let offered: String = {
    let features = UInt32(bitPattern: ccurl_features())
    let codings: [(ccurl_feature, ContentCoding)] = [
      (CCURL_FEATURE_LIBZ, .gzip), (CCURL_FEATURE_BROTLI, .brotli), (CCURL_FEATURE_ZSTD, .zstd),
    ]
    return codings.filter { features & $0.0.rawValue != 0 && $0.1.problem == nil }.map(\.1.rawValue)
      .joined(separator: ", ")
  }()
}
