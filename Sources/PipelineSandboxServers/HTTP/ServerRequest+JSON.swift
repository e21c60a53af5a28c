internal import PipelineHTTPServers
internal import PipelineJSONText

extension ServerRequest {
  /// The body as JSON, whatever its media type; `nil` if it is none.
  var json: JSONNode? {
    guard !body.isEmpty else { return nil }
    return try? JSONDocument.parse(body).root
  }
}
