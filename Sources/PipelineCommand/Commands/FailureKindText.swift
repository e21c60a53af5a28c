internal import PipelineKit

/// What `explain` says about a kind of failure: the word in brackets after a failed step's message.
struct FailureKindText: Sendable {
  private let kind: FailureReason.Kind

  /// `nil` if no kind is called so.
  init?(_ word: String) {
    guard let kind = FailureReason.Kind(rawValue: word) else { return nil }
    self.kind = kind
  }

  var text: String {
    "\(kind.rawValue) (why a step failed)\n\n"
      + [meaning, way].map { Help.wrap($0, to: Help.width).joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  private var meaning: String {
    switch kind {
    case .network:
      "No whole response came: the name is unknown, the connection was refused or broke, or TLS"
        + " failed."
    case .timeout: "The response, the end of polling or an answer did not come in time."
    case .status: "The server answered with a status that the step does not expect."
    case .expect: "A condition of 'expect' does not hold of the response."
    case .extract: "An extractor found nothing, or something of another type."
    case .schema: "The body does not satisfy the schema of 'expect' or the description of the API."
    case .limit: "A limit of the run was reached: of 'limits', or of the language itself."
    case .value:
      "A value does not fit at the place of its template, query or condition. Nothing was sent with"
        + " it."
    case .file: "A file cannot be read or written."
    case .fail: "The workflow says so with 'fail', or a step in Swift threw an error."
    case .cancelled: "The run was stopped while the step was at work."
    }
  }

  private var way: String {
    switch kind {
    case .network, .timeout:
      "'retry' sends a request again that may be sent twice, and 'timeout' sets how long it is waited"
        + " for. 'pipeline try' shows the phases of one request."
    case .status, .expect, .extract, .schema:
      "'run --show STEP' prints the response. 'expect' says which ones are right, \"optional\" and"
        + " \"default\" what may be missing, and \"onError\" what becomes of the step."
    case .limit: "The message names the limit. 'explain limits' shows all of them."
    case .value: "The message names the place and the value. 'plan' shows what is known before."
    case .file: "The message names the file. 'save' never replaces a file of another run."
    case .fail: "The message is the author's."
    case .cancelled: "'resume' goes on with a run that was stopped."
    }
  }
}
