internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit

/// The lines of a part's `units-I-of-N.ndjson`: how each of its units ended.
enum PartUnits {
  /// How a unit is reported to other parts.
  enum Outcome: Sendable {
    case recorded(UnitRecord.Outcome)
    /// It gave a secret that must not be requested twice.
    case secret
  }

  static func write(_ unit: UnitRecord, _ outcome: Outcome, to writer: inout JSONWriter) {
    let key = unit.key
    writer.beginObject()
    writer.name("step")
    writer.string(key.step)
    writer.name("item")
    writer.beginArray()
    for position in key.place { writer.integer(position) }
    writer.endArray()
    if let digest = key.digest {
      writer.name("digest")
      writer.string(digest.hexadecimal)
    }
    if let items = unit.items {
      writer.name("items")
      writer.string(items.hexadecimal)
    }
    writer.name("state")
    switch outcome {
    case .secret: writer.string("secret")
    case .recorded(.withheld): writer.string("withheld")
    case .recorded(.skipped): writer.string("skipped")
    case .recorded(.values(let values)):
      writer.string("done")
      writer.name("result")
      writer.raw(values)
    case .recorded(.failed(let failure)):
      writer.string("failed")
      writer.name("result")
      write(failure, to: &writer)
    }
    writer.endObject()
  }

  private static func write(_ failure: FailureReason, to writer: inout JSONWriter) {
    writer.beginObject()
    failure.writeFacts(to: &writer)
    if let range = failure.range {
      writer.name("range")
      writer.beginArray()
      writer.integer(range.lowerBound)
      writer.integer(range.upperBound)
      writer.endArray()
    }
    if let request = failure.request {
      writer.name("request")
      writer.beginObject()
      writer.name("method")
      writer.string(request.method)
      writer.name("url")
      writer.string(request.url)
      writer.name("attempts")
      writer.integer(request.attempts)
      writer.endObject()
    }
    if let body = failure.excerpt {
      writer.name("body")
      writer.string(body)
    }
    if !failure.hints.isEmpty {
      writer.name("hints")
      writer.beginArray()
      for hint in failure.hints { writer.string(hint) }
      writer.endArray()
    }
    writer.endObject()
  }

  // MARK: Reading

  /// The problem with a file that has a line that is not a unit.
  static func damage(in part: PartFolder.Part, line: Int? = nil) -> PartFolder.Problem {
    PartFolder.Problem(
      description: "'\(part.unitsPath)' is damaged" + (line.map { " in line \($0)" } ?? "")
        + "; remove '\(part.donePath)' and carry the part out again")
  }

  /// The unit of a line; `nil` if the line is not one.
  static func record(_ line: [UInt8]) -> UnitRecord? {
    (try? JSONDocument.parse(line).root).flatMap(record)
  }

  private static func record(_ root: JSONNode) -> UnitRecord? {
    guard let step = root["step"]?.string, let item = root["item"],
      let outcome = outcome(root)
    else { return nil }
    // Without one a person has said how the unit ended.
    let digest = root["digest"]?.string.flatMap { Fingerprint(hexadecimal: $0) }
    let items = root["items"]?.string.flatMap { Fingerprint(hexadecimal: $0) }
    return UnitRecord(
      key: UnitKey(step: step, place: item.elements.compactMap { $0.number?.int }, digest: digest),
      outcome: outcome, items: items)
  }

  private static func outcome(_ root: JSONNode) -> UnitRecord.Outcome? {
    switch root["state"]?.string {
    case "done":
      return root["result"].map { .values(Array($0.utf8)) }
    case "withheld": return .withheld
    case "skipped": return .skipped
    case "secret":
      return .failed(
        FailureReason(
          .file,
          "its request succeeded and gave a secret, which is not kept, and it must not be sent"
            + " twice; put it into one block with the steps that read it"))
    case "failed":
      return root["result"].flatMap(failure).map { .failed($0) }
    default: return nil
    }
  }

  private static func failure(_ root: JSONNode) -> FailureReason? {
    guard let kind = root["kind"]?.string.flatMap({ FailureReason.Kind(rawValue: $0) }),
      let message = root["message"]?.string
    else { return nil }
    let range = root["range"]?.elements.compactMap { $0.number?.int } ?? []
    let request = root["request"].flatMap { request -> FailureReason.RequestSummary? in
      guard let method = request["method"]?.string, let url = request["url"]?.string else {
        return nil
      }
      return FailureReason.RequestSummary(
        method: method, url: url, attempts: request["attempts"]?.number?.int ?? 1)
    }
    return FailureReason(
      kind, message, at: range.count == 2 && range[0] <= range[1] ? range[0]..<range[1] : nil,
      request: request, status: root["status"]?.number?.int, excerpt: root["body"]?.string,
      hints: root["hints"]?.elements.compactMap(\.string) ?? [])
  }
}

extension Fingerprint {
  fileprivate var hexadecimal: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 32 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: 32, by: 2) {
      let pair = String(decoding: digits[place..<place + 2], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else { return nil }
      bytes.append(byte)
    }
    self.init(bytes: bytes)
  }
}
