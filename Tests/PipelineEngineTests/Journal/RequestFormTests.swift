import Testing

@testable import PipelineEngine

@Suite struct RequestFormTests {
  /// A server on a port that begins with the digits of the sandbox's is another server.
  @Test(arguments: [
    ("http://127.0.0.1:41/echo", "sandbox:/echo"),
    ("http://127.0.0.1:4180/echo", "http://127.0.0.1:4180/echo"),
    ("http://127.0.0.1:41.example/", "http://127.0.0.1:41.example/"),
  ])
  func theSandboxIsItsWholeOrigin(url: String, form: String) {
    let fingerprints = UnitFingerprints(sandboxOrigin: "http://127.0.0.1:41")
    #expect(RequestForm.portable(url, fingerprints) == form)
  }
}
