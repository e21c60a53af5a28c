package import PipelineJSONText
package import PipelineRecordings

/// The known responses of each step: from a recording, and later from an API's description.
package struct RecordedAnswers: Sendable {
  struct Answer: Sendable {
    let status: Int
    /// `nil`: the body is not JSON.
    let body: JSONNode?
  }

  /// By the step's id, after the ids of the blocks around it.
  private var answers: [String: [Answer]] = [:]
  private var size = 0

  /// The most answers of one step that are looked at, and the most bytes of all bodies.
  private static let countLimit = 100
  private static let sizeLimit = 64 << 20

  package init() {}

  /// Reads a recording.
  package init(_ recording: Recording) throws {
    var own = RecordedAnswers()
    try recording.readEach { exchange in
      guard let key = exchange.key, !key.isToken, let response = exchange.response else { return }
      own.add(step: key.step, status: response.status, body: response.body)
    }
    self = own
  }

  /// Answers by step: an object of lists of bodies, all with status 200.
  package init(_ node: JSONNode) {
    for member in node.members {
      for body in member.value.elements {
        var writer = JSONWriter()
        writer.value(body)
        add(step: member.name, status: 200, body: writer.bytes)
      }
    }
  }

  package mutating func add(step: String, status: Int, body: [UInt8]) {
    guard answers[step]?.count ?? 0 < Self.countLimit, size + body.count <= Self.sizeLimit else {
      return
    }
    size += body.count
    answers[step, default: []].append(
      Answer(status: status, body: try? JSONDocument.parse(body).root))
  }

  subscript(_ step: String) -> [Answer] { answers[step] ?? [] }

  var isEmpty: Bool { answers.isEmpty }
}
