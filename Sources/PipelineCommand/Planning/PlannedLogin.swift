internal import PipelineJSONText
internal import PipelineKit
internal import PipelinePlanning

/// A login that a person makes for a workflow, as a plan shows it.
struct PlannedLogin: Sendable {
  let name: String
  /// Whether it is kept, or what to do.
  let words: String
  /// Whether a run can use it, as far as is known before the run.
  let isReady: Bool

  /// - Parameters:
  ///   - inputs: The values that are known.
  ///   - options: Have the store and the words of the command.
  static func all(of plan: Plan, inputs: JSONNode, _ options: RunOptions) -> [PlannedLogin] {
    guard plan.needsLogin else { return [] }
    var options = options
    // Nothing is sent. A login of the sandbox is the same whichever port it has.
    options.sandboxOrigin = "http://127.0.0.1:1"
    let pipeline = Pipeline(plan, transport: NoNetwork(), options: options)
    guard let wanted = try? pipeline.wantedLogins(inputs: inputs) else { return [] }
    return wanted.logins.map { login in
      var words = Self.kept
      do throws(LoginProblem) {
        if let store = options.logins, let problem = try login.problem(in: store) {
          words = problem
        } else if options.logins == nil {
          words = "nothing keeps logins here"
        }
      } catch {
        words = error.message
      }
      return PlannedLogin(name: login.name, words: words, isReady: words == Self.kept)
    }
      + wanted.unknown.map {
        PlannedLogin(name: "of step '\($0)'", words: "known in the run", isReady: true)
      }
  }

  private static let kept = "kept"
}

/// Sends nothing: for plans.
private struct NoNetwork: Transport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    throw TransportError(.unusable, "a plan sends nothing")
  }
}
