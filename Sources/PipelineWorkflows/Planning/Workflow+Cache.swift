extension Workflow {
  /// Whether a request of the file has a cache.
  package var usesCache: Bool { block.usesCache }
}

extension Block {
  fileprivate var usesCache: Bool {
    (steps + finally).contains { step in
      switch step.action {
      case .request(let request): request.cachesAnswers
      case .block(let block): block.usesCache
      case .call, .values, .wait, .fail: false
      }
    }
  }
}

extension Request {
  /// Whether answers to the request may be kept.
  package var cachesAnswers: Bool { cache != nil && method == "GET" }
}
