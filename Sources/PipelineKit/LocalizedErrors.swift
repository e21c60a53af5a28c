public import PipelineRecordings

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Foundation's `localizedDescription` gives the library's message. Each type says so by itself: a
// default for `LocalizedError` would change the errors of the app.

extension WorkflowError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension InputError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension InputProblem: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension MissingOutput: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension RunFailure: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension FileError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension TransportError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension FailureReason: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension StepFailure: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension JournalError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension RunInDoubt: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension RecordingProblem: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension MissingHandler: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
