internal import PipelineHTTPTerms
internal import PipelineLanguage

extension Workflow {
  /// Whether a request of the file has a cache.
  package var usesCache: Bool { block.contains(where: \.cachesAnswers) }

  /// Whether a request of the file may change what a server has, so that kept responses no longer
  /// hold (RFC 9111 §4.4).
  package var mayInvalidate: Bool { block.contains { !HTTPMethod.isSafe($0.method) } }
}

extension Block {
  fileprivate func contains(where condition: (Request) -> Bool) -> Bool {
    (steps + finally).contains { step in
      switch step.action {
      case .request(let request): condition(request)
      case .block(let block): block.contains(where: condition)
      case .call, .values, .wait, .fail, .say, .ask: false
      }
    }
  }
}

extension Request {
  /// Whether answers to the request may be kept.
  package var cachesAnswers: Bool { cache != nil && method == "GET" }
}
