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
