/// How long one attempt of a request may take (`timeout`).
///
/// By reference: few requests write it.
package final class TimeLimits: Sendable {
  /// The longest for all of it, redirects included.
  package let total: Written<Duration>?
  /// The maximum time to connect, TLS handshake included.
  package let connect: Written<Duration>?
  /// The longest without a byte sent or received.
  package let silence: Written<Duration>?

  /// The limits if a file gives none.
  package static let defaultConnect = Duration.seconds(10)
  package static let defaultSilence = Duration.seconds(60)

  init(
    total: Written<Duration>?, connect: Written<Duration>? = nil,
    silence: Written<Duration>? = nil
  ) {
    self.total = total
    self.connect = connect
    self.silence = silence
  }
}

extension Request {
  /// The maximum time to connect.
  package var connectLimit: Duration { timeout?.connect?.value ?? TimeLimits.defaultConnect }

  /// The longest without a byte sent or received. An author who allows an attempt more time than
  /// the default limit of silence also allows the server to compute for that long.
  package var silenceLimit: Duration {
    timeout?.silence?.value
      ?? max(TimeLimits.defaultSilence, timeout?.total?.value ?? TimeLimits.defaultSilence)
  }
}
