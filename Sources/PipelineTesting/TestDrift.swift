internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
package import PipelineLanguage
package import PipelineRecordings

/// The differences between a server's responses and a test's.
package struct TestDrift: Sendable {
  /// Lines such as `step 'user': '$.data.email' is gone; it was "a@b.c"`.
  package let lines: [String]

  /// Compares the live responses with those of a test.
  ///
  /// - Parameters:
  ///   - recorded: The recording that the test replays; `nil` if it has none.
  ///   - live: The live responses.
  package init(_ test: WorkflowTest, recorded: Recording?, live: Recording) throws {
    var lines: [String] = []
    var seen: Set<String> = []
    /// A difference in many items is reported once.
    func add(_ line: String, _ place: String? = nil) {
      if lines.count < 100, seen.insert(place ?? line).inserted { lines.append(line) }
    }
    try live.readEach { exchange in
      guard let key = exchange.key, !key.isToken else { return }
      let step = "step '\(key.step)'"
      guard let answer = exchange.response else {
        if case .failure(_, let message) = exchange.outcome { add("\(step): \(message)") }
        return
      }
      guard let known = try Self.known(key, test, recorded) else { return }
      if known.status / 100 != answer.status / 100 {
        add("\(step): answers \(answer.status); it was \(known.status)")
      }
      guard let old = try? JSONDocument.parse(known.body).root else { return }
      guard let new = try? JSONDocument.parse(answer.body).root else {
        add("\(step): the answer is not JSON any more")
        return
      }
      let left = Self.ignored(test.ignored, old) + Self.ignored(test.ignored, new)
      for difference in JSONDifference.between(old, new, scope: .shape) {
        guard !left.contains(where: { Self.covers($0, difference.path) }) else { continue }
        if test.answers(for: key.step) != nil, Self.isAuthors(difference) { continue }
        guard let text = Self.text(difference) else { continue }
        add("\(step): \(text)", "\(step) \(difference.kind) \(difference.path)")
      }
    }
    if let recorded {
      let sent = Set(live.keys.map(\.step))
      for key in recorded.keys where !key.isToken && !sent.contains(key.step) {
        add("step '\(key.step)' is recorded and was not sent")
      }
    }
    self.lines = lines
  }

  /// Whether a test can be sent: it has no scripted faults, failures or values.
  package static func canBeSent(_ test: WorkflowTest) -> Bool {
    test.respond.allSatisfy { answers in
      let list: [TestAnswer] =
        switch answers.form {
        case .all(let answer): [answer]
        case .listed(let answers): answers
        case .items(let lists, _): lists.flatMap { $0 }
        }
      return list.allSatisfy { answer in
        switch answer.content {
        case .fault, .values: false
        case .none, .json, .text, .file: answer.status < 400
        }
      }
    }
  }

  /// The test's form of a response.
  private static func known(
    _ key: RecordingKey, _ test: WorkflowTest, _ recorded: Recording?
  ) throws -> (status: Int, body: [UInt8])? {
    if let answers = test.answers(for: key.step) {
      let answer: TestAnswer? =
        switch answers.form {
        case .all(let answer): answer
        case .listed(let answers): answers.last
        case .items(let lists, _):
          lists.indices.contains(key.item ?? -1) ? lists[key.item ?? 0].last : lists.first?.last
        }
      guard let answer, case .json(let node) = answer.content else { return nil }
      var writer = JSONWriter()
      writer.value(node)
      return (answer.status, writer.bytes)
    }
    guard let recorded, let place = recorded.places(for: key).last,
      let response = try recorded.exchange(at: place).response
    else { return nil }
    return (response.status, response.body)
  }

  /// Whether a difference comes only from the way people write responses: with the fields that the
  /// workflow reads, and null for rare ones.
  private static func isAuthors(_ difference: JSONDifference) -> Bool {
    difference.kind == .unexpected
      || difference.kind == .type && (difference.expected == "null" || difference.actual == "null")
  }

  private static func text(_ difference: JSONDifference) -> String? {
    switch difference.kind {
    case .missing: "'\(difference.path)' is gone; it was \(difference.expected ?? "")"
    case .unexpected: "'\(difference.path)' is new: \(difference.actual ?? "")"
    case .type:
      "'\(difference.path)' is \(difference.actual ?? "") now; it was \(difference.expected ?? "")"
    case .value: nil
    }
  }

  /// The paths that `ignore` leaves out.
  private static func ignored(_ queries: [Query], _ root: JSONNode) -> [String] {
    queries.flatMap { query in
      query.located(in: QueryContext(root)).map(\.path)
    }
  }

  /// Whether a normalized path is that of a difference, or of a container of it.
  private static func covers(_ normalized: String, _ path: String) -> Bool {
    let one = plain(normalized)
    let other = plain(path)
    return other.equals(bytes: one) || other.hasPrefix(bytes: one + "/")
  }

  /// The names on the way of a path, positions left out.
  private static func plain(_ path: String) -> String {
    var result: [UInt8] = []
    var bytes = Array(path.utf8)[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "$"), UInt8(ascii: "'"), UInt8(ascii: "]"): break
      case UInt8(ascii: "."): result.append(UInt8(ascii: "/"))
      case UInt8(ascii: "["):
        if bytes.first == UInt8(ascii: "'") {
          result.append(UInt8(ascii: "/"))
        } else {
          bytes = bytes.drop { $0 != UInt8(ascii: "]") }
        }
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
