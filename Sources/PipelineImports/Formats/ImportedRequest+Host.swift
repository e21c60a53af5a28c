internal import PipelineByteText

extension ImportedRequest {
  /// Completes a URL that is only a path with the header `Host` (RFC 9112 §3.2.1).
  mutating func completeURL(_ report: inout ImportReport) {
    guard let host = headers.first(where: { $0.name.equalsIgnoringASCIICase("host") })?.value,
      !host.isEmpty
    else { return }
    if url.start.hasPrefix(bytes: "/") {
      let isSecure = host.plain?.hasSuffix(bytes: ":443") == true
      url = ForeignText(parts: [.text(isSecure ? "https://" : "http://")] + host.parts + url.parts)
      return
    }
    let rest = url.dropping("https://").dropping("http://")
    let address = ["/", "?", "#"].reduce(rest) { $0.cut(at: $1)?.before ?? $0 }
    if address != host {
      report.approximate(
        line, "the header 'Host' is not taken over: each request has that of its URL")
    }
  }
}
