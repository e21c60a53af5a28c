/// The effect of a step's failure on the run.
package enum FailureEffect: String, Sendable, CaseIterable {
  /// Cancels what runs and skips the rest.
  case fail
  /// Skips the dependents. The others continue, and the run ends failed.
  case `continue`
  /// The step's values come from `otherwise`, and the run may succeed.
  case recover
}
