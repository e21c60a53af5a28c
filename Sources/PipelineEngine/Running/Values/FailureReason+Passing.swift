extension FailureReason {
  /// Whether another try may succeed without any change in between.
  package var mayPass: Bool {
    switch kind {
    case .network, .timeout, .limit, .cancelled, .file, .expect, .extract, .schema: true
    case .status: status.map { $0 >= 500 || [408, 425, 429].contains($0) } ?? true
    case .value, .fail: false
    }
  }
}
