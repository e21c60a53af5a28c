public import PipelineRecordings

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Foundation's `localizedDescription` gives the library's message.

extension LocalizedError where Self: CustomStringConvertible {
  /// The description.
  public var errorDescription: String? { description }
}

extension WorkflowError: LocalizedError {}
extension InputError: LocalizedError {}
extension InputProblem: LocalizedError {}
extension MissingOutput: LocalizedError {}
extension RunFailure: LocalizedError {}
extension FileError: LocalizedError {}
extension TransportError: LocalizedError {}
extension FailureReason: LocalizedError {}
extension StepFailure: LocalizedError {}
extension JournalError: LocalizedError {}
extension RunInDoubt: LocalizedError {}
extension RecordingProblem: LocalizedError {}
extension MissingHandler: LocalizedError {}
