internal import PipelineKit
internal import Synchronization

/// The login that a browser is to bring back, once its address is known: that of the server which
/// waits for it is a part of it.
final class PendingBrowserLogin: Sendable {
  private let login = Mutex<BrowserLogin?>(nil)

  func set(_ begun: BrowserLogin) { login.withLock { $0 = begun } }

  /// Whether the browser has come back with a code for the login.
  func isAnswer(_ query: String) -> Bool {
    login.withLock { login in (try? login?.code(from: query)) != nil }
  }
}
