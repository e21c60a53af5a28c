internal import PipelineByteText
internal import PipelineJSONText

/// The keys of an entry in a recording, as HAR 1.2 has them. Those that programs have added begin
/// with an underscore, and say nothing about what was sent.
struct RecordingKeys: Sendable {
  /// Keys of other names, each with the line of its entry.
  private(set) var unread: [(name: String, line: Int)] = []

  private static let known: [(path: [String], names: Set<String>)] = [
    (
      [],
      [
        "pageref", "startedDateTime", "time", "request", "response", "cache", "timings",
        "serverIPAddress", "connection", "comment",
      ]
    ),
    (
      ["request"],
      [
        "method", "url", "httpVersion", "cookies", "headers", "queryString", "postData",
        "headersSize", "bodySize", "comment",
      ]
    ),
    // The encoding is in no version of HAR, but in files.
    (["request", "postData"], ["mimeType", "params", "text", "encoding", "comment"]),
    (
      ["response"],
      [
        "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL",
        "headersSize", "bodySize", "comment",
      ]
    ),
    (
      ["response", "content"],
      ["size", "compression", "mimeType", "text", "encoding", "comment"]
    ),
  ]

  /// - Complexity: Linear in the number of keys of the entry, whatever its bodies hold.
  mutating func read(_ entry: JSONNode, line: Int) {
    for (path, names) in Self.known {
      guard let node = path.reduce(entry as JSONNode?, { $0?[$1] }) else { continue }
      for member in node.members
      where !names.contains(member.name) && !member.name.hasPrefix(bytes: "_") {
        unread.append((member.name, line))
      }
    }
  }
}
