internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineRecordings
internal import PipelineSourceText

/// The scripted responses of one step, or of several that share a list.
struct StepScript: Sendable {
  typealias Answer = ScriptedTransport.Answer

  enum Form: Sendable {
    /// One after the other for each item, or among the steps that share them. The last one is
    /// repeated.
    case listed([Answer])
    /// Answers from a list that ends.
    case ending([Answer])
    /// Lists by the position of the item.
    case items([Form])
  }

  let steps: [String]
  let form: Form

  /// The next answer.
  ///
  /// - Parameters:
  ///   - group: The positions of the items around. Rounds share a list.
  ///   - taken: The number of responses given to each step.
  func next(
    for key: RecordingKey, of group: [Int], _ taken: inout [String: Int]
  ) -> Answer {
    let asker = steps.count > 1 ? "" : " \(group) \(key.item ?? -1)"
    return Self.next(of: form, for: key, of: group, steps.joined(separator: ",") + asker, &taken)
  }

  private static func next(
    of form: Form, for key: RecordingKey, of group: [Int], _ asker: String,
    _ taken: inout [String: Int]
  ) -> Answer {
    switch form {
    case .listed(let list), .ending(let list):
      let number = taken[asker, default: 0]
      taken[asker] = number + 1
      if number < list.count { return list[number] }
      if case .listed = form, let last = list.last { return last }
      return unanswered("\(key) is request \(number + 1), and the list has \(list.count) answers")
    case .items(let forms):
      let position = key.item ?? group.last ?? key.path.last ?? 0
      guard forms.indices.contains(position) else {
        return unanswered("\(key) asks, and 'items' has \(forms.count)")
      }
      return next(of: forms[position], for: key, of: group, asker, &taken)
    }
  }

  private static func unanswered(_ message: String) -> Answer {
    .failure(TransportError(.unusable, message))
  }
}

// MARK: Test files

extension StepScript {
  /// What `respond` of a test file says.
  static func scripts(ofRespond text: String, files: any FileAccess) throws -> [StepScript] {
    let (source, answers, diagnostics) = WorkflowTest.respond(text)
    guard !diagnostics.contains(where: { $0.severity == .error }) else {
      throw WorkflowError(source: source, diagnostics: diagnostics)
    }
    return try answers.map { answers in
      let form: Form =
        switch answers.form {
        case .all(let answer): .listed([try Answer(answer, files)])
        case .listed(let list): .ending(try list.map { try Answer($0, files) })
        case .items(let lists, let areLists):
          .items(
            try zip(lists, areLists).map { list, isList in
              let list = try list.map { try Answer($0, files) }
              return isList ? .ending(list) : .listed(list)
            })
        }
      return StepScript(steps: answers.steps, form: form)
    }
  }
}

extension ScriptedTransport.Answer {
  fileprivate init(_ answer: TestAnswer, _ files: any FileAccess) throws {
    var headers = answer.headers.map { HeaderField($0.name, $0.value) }
    func response(_ body: [UInt8], type: String?) -> Self {
      if let type, !headers.contains(where: { $0.name.equalsIgnoringASCIICase("content-type") }) {
        headers.append(HeaderField("Content-Type", type))
      }
      return .response(TransportResponse(status: answer.status, headers: headers, body: body))
    }
    switch answer.content {
    case .none: self = response([], type: nil)
    case .json(let node):
      var writer = JSONWriter(style: .compact)
      writer.value(node)
      self = response(writer.bytes, type: "application/json")
    case .text(let text): self = response(Array(text.utf8), type: "text/plain")
    case .file(let path):
      self = response(try files.read(path.value), type: TestTransport.type(of: path.value))
    case .fault(.timeout): self = .timeout
    case .fault(let fault): self = .failure(.fault(fault))
    case .values:
      throw FileError("'values' answers without a request, which only a test file can")
    }
    if answer.delay > .zero { self = .delayed(self, answer.delay) }
  }
}

extension TransportError {
  /// The error of a way in which no answer comes.
  static func fault(_ fault: TestAnswer.Fault) -> TransportError {
    switch fault {
    case .refused: TransportError(.connection, "the connection was refused")
    case .reset: TransportError(.interrupted, "the connection was reset")
    case .timeout: TransportError(.timeout, "no complete response")
    case .truncated: TransportError(.interrupted, "the response was cut off")
    case .dns: TransportError(.nameResolution, "the host's name has no address")
    case .tls: TransportError(.tls, "the server's certificate is not trusted")
    }
  }
}
