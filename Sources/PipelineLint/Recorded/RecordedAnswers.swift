internal import PipelineByteText
import PipelineFormats
package import PipelineJSONText
import PipelineLanguage
package import PipelineRecordings
import PipelineTemplates

/// The known responses of each step: from a recording, and later from an API's description.
package struct RecordedAnswers: Sendable {
  struct Answer: Sendable {
    let status: Int
    /// What the step reads in it; `nil` if there is nothing.
    let body: JSONNode?
    /// The header that says what the bytes are; empty if there is none.
    let contentType: String
    let bytes: [UInt8]

    /// The media type without parameters.
    var mediaType: String { contentType.prefix(before: ";").trimmed.lowercasedASCII }

    /// The answer as a step reads it.
    func read(by step: Step) -> Answer {
      guard case .request(let request) = step.action, let read = request.read,
        step.expect.status.contains(where: { $0.matches(status) })
      else { return self }
      let json = try? read.format.json(
        of: bytes, charset: read.charset, contentType: contentType,
        limit: RecordedAnswers.sizeLimit)
      return Answer(
        status: status, body: json.map { JSONDocument.written($0).root }, contentType: contentType,
        bytes: bytes)
    }
  }

  /// By the step's id, after the ids of the blocks around it.
  private var answers: [String: [Answer]] = [:]
  private var size = 0

  /// The most answers of one step that are looked at, and the most bytes of all bodies.
  private static let countLimit = 100
  fileprivate static let sizeLimit = 64 << 20

  package init() {}

  /// Reads a recording.
  package init(_ recording: Recording) throws {
    var own = RecordedAnswers()
    try recording.readEach { exchange in
      guard let key = exchange.key, !key.isToken, let response = exchange.response else { return }
      let type = response.headers.first { $0.name.equalsIgnoringASCIICase("content-type") }
      own.add(
        step: key.step, status: response.status, body: response.body,
        contentType: type?.value ?? "")
    }
    self = own
  }

  /// Answers by step: an object of lists of bodies, all with status 200. A body that is not JSON is
  /// `{"$text": "…", "contentType": "text/csv"}`.
  package init(_ node: JSONNode) {
    for member in node.members {
      for body in member.value.elements {
        if let text = body["$text"]?.string {
          add(
            step: member.name, status: 200, body: Array(text.utf8),
            contentType: body["contentType"]?.string ?? "")
          continue
        }
        var writer = JSONWriter()
        writer.value(body)
        add(step: member.name, status: 200, body: writer.bytes)
      }
    }
  }

  package mutating func add(
    step: String, status: Int, body: [UInt8], contentType: String = ""
  ) {
    guard answers[step]?.count ?? 0 < Self.countLimit, size + body.count <= Self.sizeLimit else {
      return
    }
    size += body.count
    answers[step, default: []].append(
      Answer(
        status: status, body: try? JSONDocument.parse(body).root, contentType: contentType,
        bytes: body))
  }

  /// What is known of the bodies that a step extracts from; `nil` if there is nothing.
  func body(of step: Step, at path: String) -> ValueShape? {
    let bodies = step.expected(self[path].map { $0.read(by: step) }).compactMap(\.body)
    return bodies.isEmpty ? nil : ValueShape(RecordedSource(bodies))
  }

  subscript(_ step: String) -> [Answer] { answers[step] ?? [] }

  var isEmpty: Bool { answers.isEmpty }
}

extension LintContext {
  /// The same workflow, with what recorded answers have where nothing else is known; `nil` if there are
  /// none.
  func known(by recorded: RecordedAnswers) -> LintContext? {
    if recorded.isEmpty { return nil }
    let bodies = self.bodies
    return LintContext(workflow, incomplete: incomplete, callees: callees) { context in
      var all = bodies
      for step in context.steps where step.request != nil {
        guard let own = recorded.body(of: step.step, at: context.path(of: step.number)) else {
          continue
        }
        all[step.number] = bodies[step.number].map { $0.refined(by: own) } ?? own
      }
      return all
    }
  }
}
