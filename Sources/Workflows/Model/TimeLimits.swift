/// How long one attempt of a request may take (`timeout`).
///
/// By reference: few requests write it.
public final class TimeLimits: Sendable {
  /// The longest for all of it, redirects included.
  public let total: Written<Duration>?
  /// The longest until a connection stands, its TLS handshake included.
  public let connect: Written<Duration>?
  /// The longest without a byte sent or received.
  public let silence: Written<Duration>?

  /// What holds where a file says nothing.
  public static let defaultConnect = Duration.seconds(10)
  public static let defaultSilence = Duration.seconds(60)

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
  /// The longest until a connection stands.
  public var connectLimit: Duration { timeout?.connect?.value ?? TimeLimits.defaultConnect }

  /// The longest without a byte sent or received. Who allows an attempt more than the default allows
  /// silence, allows a server to compute for so long.
  public var silenceLimit: Duration {
    timeout?.silence?.value
      ?? max(TimeLimits.defaultSilence, timeout?.total?.value ?? TimeLimits.defaultSilence)
  }
}
