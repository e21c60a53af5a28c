import PipelineByteText
import PipelineURIs

/// RFC 3986's grammar to the letter. `URI` itself accepts characters that servers leave unencoded.
enum URIText {
  static func isReference(_ utf8: ArraySlice<UInt8>, absolute: Bool) -> Bool {
    guard let uri = URI.parse(String(decoding: utf8, as: UTF8.self)) else { return false }
    guard !absolute || uri.scheme != nil else { return false }
    let query = ASCIISet.segment.union(ASCIISet("/?"))
    return isEncoded(uri.path, in: .path) && isEncoded(uri.query ?? "", in: query)
      && isEncoded(uri.fragment ?? "", in: query)
  }

  private static func isEncoded(_ text: String, in set: ASCIISet) -> Bool {
    var bytes = text.utf8.makeIterator()
    while let byte = bytes.next() {
      if set.contains(byte) { continue }
      guard byte == UInt8(ascii: "%"),
        let high = bytes.next(), Scanner.isHexadecimal(high),
        let low = bytes.next(), Scanner.isHexadecimal(low)
      else { return false }
    }
    return true
  }
}
