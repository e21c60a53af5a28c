internal import PipelineKit
internal import PipelineSourceText

/// The requests that a person must decide about, each on a line, and the ways out.
struct DoubtText {
  private let requests: [SendingRecord]
  /// The command that takes `--settle`.
  private let command: String
  /// The command that shows all of them; `nil` if this one does.
  private let list: String?
  /// How many are listed.
  private let most: Int

  /// How many of them are listed after a run.
  private static let mostAfterRun = 20

  /// - Parameter words: The run, as a command line names it.
  init(_ requests: [SendingRecord], of words: String, most: Int = mostAfterRun) {
    self.requests = requests
    command = "pipeline resume \(words)"
    list = "pipeline runs show \(words)"
    self.most = most
  }

  /// All of them.
  init(_ requests: [SendingRecord], settledBy command: String) {
    self.requests = requests
    self.command = command
    list = nil
    most = .max
  }

  var text: String {
    guard let first = requests.first else { return "" }
    let open = requests.filter { $0.change == nil }
    let changed = requests.filter { $0.change != nil }
    var text = ""
    if !open.isEmpty {
      text += "in doubt, because it may have been carried out and must not be sent twice:\n"
      for request in open.prefix(most) { text += Self.line(request, Self.reason(request)) }
      if let list, open.count > most {
        text += "  and \(open.count - most) more: '\(list)' has all\n"
      }
    }
    if !changed.isEmpty {
      text += "carried out before, and not sent in the form that it has now:\n"
      for request in changed.prefix(most) {
        guard let change = request.change else { continue }
        text += Self.line(request, Self.reason(request, change)) + Self.forms(request, change)
      }
      if changed.count > most { text += "  and \(changed.count - most) more\n" }
    }
    return text + ways(first)
  }

  private func ways(_ first: SendingRecord) -> String {
    let name = first.unit.name
    let done =
      first.kept == .nothing
      ? "if it was carried out; --values gives what it extracts" : "to keep the recorded answer"
    let all =
      requests.count > 1 && !first.unit.place.isEmpty
      ? "'\(first.unit.step)\(String(repeating: "[*]", count: first.unit.place.count))=…' says it of"
        + " all, and --settle @FILE takes a JSON object of names\n" : ""
    return "Look at the server, then say what became of each:\n"
      + "  \(command) --settle '\(name)=again'   to send it again\n"
      + "  \(command) --settle '\(name)=skip'    to leave it out\n"
      // No secret can be given.
      + (first.state == .secret ? "" : "  \(command) --settle '\(name)=done'    \(done)\n") + all
  }

  private static func line(_ request: SendingRecord, _ reason: String) -> String {
    var parts = [request.unit.name, request.method + " " + request.url]
    if let subject = request.item ?? request.body { parts.append(subject) }
    return Cells.printable("  " + (parts + [reason]).joined(separator: "  ")) + "\n"
  }

  private static func sent(_ request: SendingRecord) -> String {
    let process = request.process.map { " by process \($0)" } ?? ""
    return "at " + Timestamp(secondsSince1970: request.time).text + process
  }

  private static func reason(_ request: SendingRecord) -> String {
    let sent = "sent " + sent(request)
    return switch request.state {
    case .answered(let status):
      sent + " and answered with status \(status), and the step did not succeed"
    case .secret: sent + "; it succeeded, and the secret that it gave is not kept"
    case .unanswered, .done, .again, .settled, .changed:
      sent + ", and no answer was received"
    }
  }

  private static func reason(_ request: SendingRecord, _ change: SendingRecord.Change) -> String {
    if change.method.isEmpty {
      return "carried out by an older version, which kept neither the request nor its answer"
    }
    if change.isSameRequest {
      let what =
        request.kept == .nothing
        ? "; the step has changed, and the answer was not kept" : ", as '\(change.unit)'"
      return "carried out " + sent(request) + what
    }
    return "carried out " + sent(request)
  }

  /// The old form and the new one.
  private static func forms(_ request: SendingRecord, _ change: SendingRecord.Change) -> String {
    guard !change.method.isEmpty, !change.isSameRequest else { return "" }
    let then = [change.method, change.url, change.body].compactMap { $0 }.joined(separator: " ")
    let now = [request.method, request.url, request.body].compactMap { $0 }.joined(separator: " ")
    let name = change.unit == request.unit.name ? "" : "  (it was '\(change.unit)')"
    if then == now { return "    a header field, or the rest of the body, is different\(name)\n" }
    return Cells.printable("    then: \(then)\(name)") + "\n"
      + Cells.printable("    now:  \(now)") + "\n"
  }
}

extension SendingRecord {
  /// The form in which it was carried out, if it has another one now.
  var change: Change? { if case .changed(let change) = state { change } else { nil } }
}
