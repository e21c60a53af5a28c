internal import PipelineByteText
internal import Synchronization

/// The browsers that may see the page, and the tokens with which others are let in.
final class PageSessions: Sendable {
  private struct State {
    /// Each is good for one browser.
    var token: [UInt8] = PageSessions.random()
    var cookies: [[UInt8]] = []
  }

  private let state = Mutex(State())

  /// The most browsers at once. The oldest makes room.
  private static let limit = 64

  /// The token that is good now.
  var token: String { state.withLock { String(decoding: $0.token, as: UTF8.self) } }

  /// Takes the token for a new session, and makes the next token. `nil` if it is another one.
  func redeem(_ token: String) -> String? {
    state.withLock { state in
      guard Self.isEqual(Array(token.utf8), state.token) else { return nil }
      state.token = Self.random()
      let cookie = Self.random()
      if state.cookies.count == Self.limit { state.cookies.removeFirst() }
      state.cookies.append(cookie)
      return String(decoding: cookie, as: UTF8.self)
    }
  }

  /// Whether a cookie is that of a session.
  func include(_ cookie: String) -> Bool {
    let bytes = Array(cookie.utf8)
    // All are compared, so that the time does not depend on which one it is.
    return state.withLock { state in
      state.cookies.reduce(false) { found, cookie in Self.isEqual(bytes, cookie) || found }
    }
  }

  /// Compares in a time that depends on the length alone.
  private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// 256 random bits as 64 hex digits. The generator is the system's, which cannot be foreseen.
  private static func random() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return Array(Hexadecimal.encode(bytes).utf8)
  }
}
