internal import PipelineByteText
internal import PipelineDrawings
internal import PipelinePages

/// A file of the page, with its address.
struct PageAsset: Sendable, Equatable {
  let path: String
  let type: String
  let bytes: [UInt8]
  /// The value of its `ETag`.
  let tag: String

  init(_ path: String, _ type: String, _ bytes: [UInt8]) {
    self.path = path
    self.type = type
    self.bytes = bytes
    tag = "\"\(Base64.encode(Array(SHA256.hash(bytes))))\""
  }

  static let all =
    [
      PageAsset("/", "text/html; charset=utf-8", PageAssets.html),
      PageAsset(
        "/page.css", "text/css; charset=utf-8",
        Array((DrawingStyle.shared + DrawingStyle.drawing).utf8) + PageAssets.style),
    ]
    + PageAssets.modules.map {
      PageAsset("/\($0.name).js", "text/javascript; charset=utf-8", $0.text)
    }
}
