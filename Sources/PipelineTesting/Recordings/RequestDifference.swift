internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineRecordings
internal import PipelineURIs

/// A difference between a request and its recording.
struct RequestDifference {
  /// `the query parameter 'page'`.
  let part: String
  /// `nil` if there was none.
  let recorded: String?
  /// `nil` if there is none.
  let sent: String?

  /// Header fields that are made again for each request.
  private static let ignored: Set<String> = [
    "idempotency-key", "if-none-match", "if-modified-since", "traceparent", "tracestate",
    "user-agent", "accept-encoding", "host", "content-length",
  ]

  /// The differences, the method first.
  static func between(
    _ recorded: RecordedExchange.Request, _ sent: RecordedExchange.Request
  ) -> [RequestDifference] {
    var found: [RequestDifference] = []
    func compare(_ part: String, _ one: String?, _ other: String?) {
      guard !one.equals(bytes: other) else { return }
      found.append(RequestDifference(part: part, recorded: one, sent: other))
    }
    compare("the method", recorded.method, sent.method)
    let (one, other) = (String(recorded.url.prefix(before: "#")), sent.url.prefix(before: "#"))
    if !one.equals(bytes: other) { compareURLs(one, String(other), compare) }
    compareHeaders(recorded.headers, sent.headers, compare)
    compareBodies(recorded.body, sent.body, compare)
    return found
  }

  private static func compareURLs(
    _ one: String, _ other: String, _ compare: (String, String?, String?) -> Void
  ) {
    let (first, second) = (String(one.prefix(before: "?")), String(other.prefix(before: "?")))
    compare("the URL", first, second)
    let (fields, others) = (parameters(of: one), parameters(of: other))
    var names: [String] = []
    for (name, _) in fields + others where !names.contains(where: { $0.equals(bytes: name) }) {
      names.append(name)
    }
    for name in names {
      let values = { (list: [(String, String)]) in
        list.filter { $0.0.equals(bytes: name) }.map(\.1)
      }
      let (mine, theirs) = (values(fields), values(others))
      compare(
        "the query parameter '\(name)'", mine.isEmpty ? nil : mine.joined(separator: ", "),
        theirs.isEmpty ? nil : theirs.joined(separator: ", "))
    }
  }

  private static func parameters(of url: String) -> [(String, String)] {
    guard let mark = url.firstIndex(ascii: "?") else { return [] }
    return String(url[mark...].dropFirst(bytes: 1)).split(ascii: "&").map { pair in
      let name = pair.prefix(before: "=")
      let value = pair.dropFirst(bytes: min(pair.utf8.count, name.utf8.count + 1))
      let decoded = { (text: Substring) in URI.percentDecode(String(text)) ?? String(text) }
      return (decoded(name), decoded(value))
    }
  }

  private static func compareHeaders(
    _ one: [RecordedField], _ other: [RecordedField],
    _ compare: (String, String?, String?) -> Void
  ) {
    var names: [String] = []
    for field in one + other {
      let name = field.name.lowercasedASCII
      if !ignored.contains(name), !names.contains(name) { names.append(name) }
    }
    for name in names {
      let value = { (list: [RecordedField]) -> String? in
        let values = list.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
      }
      compare("the header '\(name)'", value(one), value(other))
    }
  }

  private static func compareBodies(
    _ one: RecordedExchange.Body?, _ other: RecordedExchange.Body?,
    _ compare: (String, String?, String?) -> Void
  ) {
    switch (one, other) {
    case (nil, nil): return
    case (.bytes(let one, _)?, .bytes(let other, _)?):
      if one == other { return }
      if let left = try? JSONDocument.parse(one).root,
        let right = try? JSONDocument.parse(other).root
      {
        for difference in JSONDifference.between(left, right, limit: 5) {
          compare("the body at '\(difference.path)'", difference.expected, difference.actual)
        }
        return
      }
      compare("the body", shown(one), shown(other))
    case (.form(let one, _)?, .form(let other, _)?):
      guard one.map(Self.comparable) != other.map(Self.comparable) else { return }
      compare(
        "the form", one.map(\.name).joined(separator: ", "),
        other.map(\.name).joined(separator: ", ") + " with other values")
    case (.file(let one, _)?, .file(let other, _)?): compare("the file", one, other)
    case (nil, _?): compare("the body", nil, "one")
    case (_?, nil): compare("the body", "one", nil)
    case (_?, _?): compare("the body", "one", "one of another kind")
    }
  }

  private static func comparable(_ part: RecordedExchange.Part) -> [String?] {
    [part.name, part.value, part.fileName, part.type]
  }

  private static func shown(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).shortened(to: 120)
  }

  /// As a phrase, with the source of the value.
  func message(_ origin: (String) -> String?) -> String {
    let was = recorded.map { "'\($0.shortened(to: 120))'" } ?? "not there"
    guard let sent else { return "\(part) was \(was) and is not there now" }
    let source = origin(sent).map { ", from {{\($0)}}" } ?? ""
    return "\(part) was \(was) and is '\(sent.shortened(to: 120))'\(source)"
  }
}
