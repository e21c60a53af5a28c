internal import PipelineByteText
internal import PipelineFormats
internal import PipelineSinks

/// Rows that a command line sends somewhere: `--sink NAME=TARGET`.
struct SinkRequest: Sendable {
  /// The output, or the step, whose rows are meant.
  let name: String
  var target: SinkTarget
  /// As it was given, except for the path.
  private let text: String

  /// Reads `NAME=TARGET`.
  init(_ text: String) throws(UsageError) {
    let parts = text.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw UsageError(message: "--sink takes NAME=TARGET, as in 'users=users.csv', not '\(text)'")
    }
    name = String(parts[0])
    self.text = String(parts[1])
    do throws(TableProblem) {
      target = try SinkTarget(self.text)
    } catch {
      throw UsageError(message: "--sink \(name): \(error.message)")
    }
  }

  /// Reads all that a command line has.
  static func all(_ texts: [String]) throws(UsageError) -> [SinkRequest] {
    var requests: [SinkRequest] = []
    for text in texts {
      let request = try SinkRequest(text)
      let isTaken = requests.contains { other in
        other.target.path.equals(bytes: request.target.path)
          && (request.target.form != .sqlite || other.target.form != .sqlite
            || other.tableName.equalsIgnoringASCIICase(request.tableName))
      }
      if isTaken {
        throw UsageError(
          message: "--sink \(request.name): another sink writes to '\(request.target.path)', too;"
            + " name another file"
            + (request.target.form == .sqlite ? " or another table, with '#'" : ""))
      }
      requests.append(request)
    }
    return requests
  }

  /// The table or the stream that the rows go to.
  var tableName: String { target.table ?? name }

  // MARK: In a journal

  /// As a journal keeps it.
  var kept: String { "\(name)=\(text)" }

  /// The content that a journal has kept.
  ///
  /// - Parameter place: Where a path leads from here.
  init?(kept text: String, place: (String) -> String) {
    guard let request = try? SinkRequest(text) else { return nil }
    self = request
    if !target.isStandardOutput { target.path = place(target.path) }
  }
}
