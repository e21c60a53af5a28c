package import PipelineLanguage

/// Shares the limits of a run with other processes: the parts of one run, or several runs.
package protocol LimitSharing: Sendable {
  /// Returns when a request may leave: its turn under the rates of all processes together.
  ///
  /// - Parameters:
  ///   - origin: The origin of the request, as text.
  ///   - rates: Those that are not `nil` apply.
  ///   - owner: The called file that sets them; empty: the run's own file.
  func waitForTurn(_ origin: String, _ rates: SharedRates, of owner: String) async throws

  /// Begins to hand out the requests in flight.
  ///
  /// - Parameters:
  ///   - run: How many all processes may have in flight.
  ///   - origin: How many of them to one origin.
  ///   - owner: The called file that sets the limits; empty: the run's own file.
  ///   - gates: Is given the process's share each time it changes, beginning before this returns.
  func join(
    run: Int, origin: Int, of owner: String,
    _ gates: @escaping @Sendable (InFlight) -> InFlight)
}

/// The rates that processes keep together.
package struct SharedRates: Sendable, Hashable {
  package var run: Limits.Rate?
  package var origin: Limits.Rate?
}

/// Requests in flight: a share of them, or as many as there are.
package struct InFlight: Sendable, Hashable {
  /// To all origins.
  package var run: Int
  /// To one origin.
  package var origin: Int

  package init(run: Int, origin: Int) {
    self.run = run
    self.origin = origin
  }
}
