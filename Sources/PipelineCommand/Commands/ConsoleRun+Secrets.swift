internal import PipelineKit
internal import PipelinePlanning

// Where a run has its secret inputs from.
extension ConsoleRun {
  /// Reads the secrets that the run needs; `false` if one cannot be read, which is then reported. A
  /// replay reads none: its recording has stand-ins for them.
  func fillSecrets(
    of plan: Plan, given: InputArguments, _ options: inout RunOptions
  ) async -> Bool {
    if recordings.isOffline { return true }
    do throws(SecretProblem) {
      try await program.secrets.fill(
        &options, of: plan, given: given.values.keys, named: inputs.secrets)
      return true
    } catch {
      console.complain(error.description)
      return false
    }
  }

  /// The logins of this user; `nil` in a replay, whose answers are recorded.
  var logins: KeptLogins? {
    if recordings.isOffline { return nil }
    return KeptLogins(isPart ? .standard : store, environment: console.environment)
  }
}
