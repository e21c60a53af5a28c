internal import PipelineHTTPServers
internal import PipelineJSONText

/// `/slow` and `/status`: an answer of a chosen time or status.
enum TimingAPI {
  static let routes = [
    Route("*", "/slow", "an answer after ?ms=200") { _, request, _ in slow(request, id: nil) },
    Route("*", "/slow/{id}", "the same, with the id in the answer") { _, request, values in
      slow(request, id: values[0])
    },
    Route("*", "/status/{code}", "an answer with that status, 200 to 599") { _, _, values in
      guard let code = Int(values[0]), (200...599).contains(code) else {
        return .failure(400, "a status is between 200 and 599")
      }
      guard ResponseEncoder.allowsContent(code) else { return .empty(code) }
      return .object(code) { $0.member("status", code) }
    },
  ]

  private static func slow(_ request: ServerRequest, id: String?) -> ServerResponse {
    let delay = request.duration("ms", unit: .milliseconds(1)) ?? .milliseconds(200)
    let response = ServerResponse.object { writer in
      if let id { writer.member("id", id) }
      writer.member("ms", Int(delay.nanoseconds / 1_000_000))
    }
    return response.delayed(by: delay)
  }
}
