internal import PipelineByteText
internal import PipelineURIs
internal import Synchronization

/// Remembers the origin of the last URL, because most requests of a run go to the same one.
final class RecentOrigin: Sendable {
  private struct Entry {
    /// `https://api.example:8443`, as URLs write it.
    let prefix: String
    let origin: Origin
  }

  private let entry = Mutex<Entry?>(nil)

  /// An http or https URL with its origin; `nil` if `text` is not one.
  func url(of text: String) -> RequestURL? {
    origin(of: text).map { RequestURL(text, $0) }
  }

  private func origin(of url: String) -> Origin? {
    // Where another thread is at it, the origin is found again: that costs less than to wait.
    let known = entry.withLockIfAvailable { entry -> Origin? in
      guard let entry, url.hasPrefix(bytes: entry.prefix) else { return nil }
      // Only at the authority's end is the prefix the whole authority.
      let rest = url.utf8.index(url.startIndex, offsetBy: entry.prefix.utf8.count)
      if rest == url.endIndex { return entry.origin }
      let next = url.utf8[rest]
      return next == UInt8(ascii: "/") || next == UInt8(ascii: "?") ? entry.origin : nil
    }
    if let known = known ?? nil { return known }
    guard let origin = Origin(of: url) else { return nil }
    let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }.count + 3
    let authority = url.utf8.dropFirst(scheme).prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
    }
    let prefix = String(decoding: url.utf8.prefix(scheme + authority.count), as: UTF8.self)
    entry.withLockIfAvailable { $0 = Entry(prefix: prefix, origin: origin) }
    return origin
  }
}
