internal import PipelineByteText
internal import PipelineURIs

/// Paths as `file:` URIs (RFC 8089), as editors write them.
enum FileURI {
  /// The path of a URI; `nil` if it names no file of this machine.
  static func path(of uri: String) -> String? {
    guard let parsed = URI.parse(uri), parsed.scheme?.lowercased() == "file",
      parsed.host ?? "" == "" || parsed.host == "localhost"
    else { return nil }
    return URI.percentDecode(parsed.path)
  }

  static func uri(of path: String) -> String {
    "file://" + URI.percentEncode(path, allowing: .path)
  }
}
