internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

// The backstop of language.md §11: every report of a run is searched for secrets again, as a whole.

extension RunEvent.Kind {
  /// The event with no secret in its texts.
  func redacted(by redactor: Redactor) -> RunEvent.Kind {
    guard redactor.isActive else { return self }
    switch self {
    case .runStarted, .stepStarted, .itemStarted, .requestFinished, .eventReceived, .note,
      .runFinished, .asked:
      return self
    case .said(let said):
      return .said(
        RunEvent.Said(step: said.step, path: said.path, text: redactor.redact(said.text)))
    case .itemFinished(var item):
      // Most items, and nothing is said of them.
      if case .succeeded = item.outcome { return self }
      item.outcome = item.outcome.redacted(by: redactor)
      return .itemFinished(item)
    case .stepFinished(var step):
      step.outcome = step.outcome.redacted(by: redactor)
      return .stepFinished(step)
    }
  }
}

extension RunEvent.Outcome {
  fileprivate func redacted(by redactor: Redactor) -> RunEvent.Outcome {
    switch self {
    case .succeeded, .cancelled: self
    case .recovered(let failure): .recovered(failure.redacted(by: redactor))
    case .failed(let failure): .failed(failure.redacted(by: redactor))
    case .skipped(let reason): .skipped(redactor.redact(reason))
    }
  }
}

extension FailureReason {
  /// The failure with no secret in its texts.
  func redacted(by redactor: Redactor) -> FailureReason {
    mapTexts { text, _ in redactor.redact(text) }
  }
}

extension StepFailure {
  fileprivate func redacted(by redactor: Redactor) -> StepFailure {
    saying(failure.redacted(by: redactor))
  }
}

extension RunReport {
  /// The report with no secret in its texts.
  ///
  /// - Parameter fields: The outputs as declared: an author may have asked to see one as it is.
  func redacted(by redactor: Redactor, revealing fields: [Field]) -> RunReport {
    guard redactor.isActive else { return self }
    var report = RunReport(
      runID: runID, status: status, failures: failures.map { $0.redacted(by: redactor) },
      stopReason: stopReason?.redacted(by: redactor), counts: counts, duration: duration,
      outputs: outputs.redacted(by: redactor, revealing: fields), state: state)
    // Their texts were searched when they were asked.
    report.questions = questions
    return report
  }
}

extension Redactor {
  /// JSON text with no secret in its texts and numbers.
  func redact(json text: [UInt8]) -> [UInt8] {
    guard !places(in: text).isEmpty, let document = try? JSONDocument.parse(text) else {
      return text
    }
    return redactedText(document.root)
  }

  /// Whether no secret is found in a value's texts and numbers.
  func holdsNoSecret(_ node: JSONNode) -> Bool {
    !isActive || places(in: Array(node.utf8)).isEmpty
  }

  /// A value with no secret in its texts and numbers.
  func redact(_ node: JSONNode) -> JSONNode {
    // Most values hold no secret. Checking the whole text shows it.
    guard isActive, !places(in: Array(node.utf8)).isEmpty else { return node }
    return JSONDocument.written(redactedText(node)).root
  }

  private func redactedText(_ node: JSONNode) -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    writer.write(node, redactedBy: self)
    return writer.bytes
  }
}

extension JSONNode {
  /// The value with masks in place of its secrets.
  func masked(_ taint: Taint) -> JSONNode {
    var writer = JSONWriter(style: .compact)
    writer.write(self, masking: taint)
    return writer.document().root
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ node: JSONNode, masking taint: Taint) {
    if taint.isNone {
      value(node)
    } else if taint.isWhole {
      string(Redactor.mask)
    } else if node.kind == .array {
      beginArray()
      for element in node.elements { write(element, masking: taint) }
      endArray()
    } else if node.kind == .object {
      beginObject()
      for member in node.members {
        name(member.name)
        write(member.value, masking: taint.members[member.name] ?? .none)
      }
      endObject()
    } else {
      value(node)
    }
  }

  /// A value whose texts and numbers hold no secret: each that does is masked.
  fileprivate mutating func write(_ node: JSONNode, redactedBy redactor: Redactor) {
    switch node.kind {
    case .object:
      beginObject()
      for member in node.members {
        name(redactor.redact(member.name))
        write(member.value, redactedBy: redactor)
      }
      endObject()
    case .array:
      beginArray()
      for element in node.elements { write(element, redactedBy: redactor) }
      endArray()
    case .string:
      let text = node.string ?? ""
      let redacted = redactor.redact(text)
      // Escapes stay as they came.
      if redacted.utf8.elementsEqual(text.utf8) { value(node) } else { string(redacted) }
    case .number:
      let text = node.text
      if redactor.redact(text) == text { value(node) } else { string(Redactor.mask) }
    case .boolean, .null: value(node)
    }
  }
}
