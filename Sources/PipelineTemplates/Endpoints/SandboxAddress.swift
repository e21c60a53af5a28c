internal import PipelineByteText

extension StringProtocol {
  /// What follows `sandbox:` in an address of the sandbox; `nil` if it is another text.
  ///
  /// The case of letters in a scheme has no meaning (RFC 3986 §3.1).
  package var pathInSandbox: SubSequence? {
    let scheme = utf8.prefix("sandbox:".utf8.count)
    guard String(decoding: scheme, as: UTF8.self).equalsIgnoringASCIICase("sandbox:") else {
      return nil
    }
    return self[scheme.endIndex...]
  }
}
