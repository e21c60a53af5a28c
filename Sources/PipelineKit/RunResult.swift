public import PipelineJSONText

/// The result of a run.
public struct RunResult: Sendable {
  /// How each part of the run ended, with counts and failures.
  public let report: RunReport

  /// The result that a report describes, such as one made for a preview.
  public init(report: RunReport) {
    self.report = report
  }

  /// How the run ended.
  public var status: RunReport.Status { report.status }

  /// The outputs of the workflow.
  public var outputs: Outputs { report.outputs }

  /// The result itself, if the run succeeded.
  ///
  /// - Throws: `RunFailure` with the report if it did not.
  @discardableResult
  public func get() throws(RunFailure) -> RunResult {
    guard status == .succeeded else { throw RunFailure(report: report) }
    return self
  }

  /// All outputs as one object, decoded as `JSONNode.decode(_:keys:)` says.
  ///
  /// - Parameters:
  ///   - type: The type of all outputs together.
  ///   - keys: How names of members become keys of the type.
  /// - Returns: The decoded outputs.
  /// - Throws: `RunFailure` if they cannot be decoded because the run did not give some.
  ///   `DecodingError` if the outputs of a run that succeeded are not a `Value`, or if the decoded
  ///   part is a secret, which outputs hide.
  public func decode<Value: Decodable>(
    _ type: Value.Type, keys: DecodingKeys = .asWritten
  ) throws -> Value {
    do {
      return try outputs.node.decode(type, settings(keys, hidesSecrets: outputs.hideSecrets))
    } catch let error as DecodingError {
      guard status == .succeeded else { throw RunFailure(report: report) }
      throw error
    }
  }

  /// An output, decoded as `JSONNode.decode(_:keys:)` says.
  ///
  /// - Parameters:
  ///   - name: The name of the output.
  ///   - type: The type of its value.
  ///   - keys: How names of members become keys of the type.
  /// - Returns: The decoded value.
  /// - Throws: `MissingOutput` if the run did not give it. `DecodingError` if it is not a `Value`,
  ///   or if the decoded part is a secret, which outputs hide.
  public func output<Value: Decodable>(
    _ name: String, as type: Value.Type, keys: DecodingKeys = .asWritten
  ) throws -> Value {
    guard let output = outputs.output(named: name) else {
      throw MissingOutput(
        name: name, failures: report.failures, stopReason: report.stopReason)
    }
    return try output.value.decode(type, settings(keys, hidesSecrets: output.hidesSecrets))
  }

  private func settings(_ keys: DecodingKeys, hidesSecrets: Bool) -> DecodingSettings {
    DecodingSettings(keys: keys, mask: hidesSecrets ? Redactor.mask : nil)
  }
}

/// A run that did not succeed, with all that is known of it.
public struct RunFailure: Error, Sendable, CustomStringConvertible {
  /// How each part of the run ended, with counts and failures.
  public let report: RunReport

  /// An error about the run that a report describes.
  public init(report: RunReport) {
    self.report = report
  }

  /// The reason why the run stopped, or its first failure.
  public var description: String {
    if let failure = report.failures.first {
      let others = report.failures.count - 1
      return "\(failure)" + (others > 0 ? ", and \(others) more" : "")
    }
    return report.stopReason?.message ?? "the run \(report.status.rawValue)"
  }
}

/// An output that a run did not give.
public struct MissingOutput: Error, Sendable, CustomStringConvertible {
  /// The name of the output.
  public let name: String
  /// The failures of the run.
  public let failures: [StepFailure]
  /// The reason outside of its steps why the run stopped.
  public let stopReason: FailureReason?

  /// A sentence with the first failure as the reason.
  public var description: String {
    let reason = failures.first.map { "\($0)" } ?? stopReason?.message
    return "the run has no output '\(name)'" + (reason.map { ": " + $0 } ?? "")
  }
}
