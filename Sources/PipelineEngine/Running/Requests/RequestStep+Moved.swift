internal import PipelineURIs

// The target of a response's redirect or link.
extension RequestStep {
  /// The same request at a URL that a response named. The author's query of the first page is not
  /// in it, unless the server put it there again.
  func moved(_ parts: RequestBuilder.Parts, to url: RequestURL) -> RequestBuilder.Parts {
    var next = parts
    next.url = url
    if parts.origin != url.origin {
      let holdsSecret = redactor.redact(url.text) != url.text
      if holdsSecret || next.hasCredentials {
        next.credentials.own.isInURL = holdsSecret
        next.credentials.inherited.isInURL = false
      }
    }
    return next
  }
}
