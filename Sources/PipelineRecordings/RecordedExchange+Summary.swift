internal import PipelineByteText
package import PipelineJSONText

extension RecordedExchange {
  /// What a list shows of an entry. Its header fields and bodies are not decoded.
  package struct Summary: Sendable {
    /// The asking step; `nil` if another tool recorded it.
    package let key: RecordingKey?
    package let method: String
    package let url: String
    /// `nil` if no answer came.
    package let status: Int?
    /// The bytes of the answer's body.
    package let size: Int

    package init(key: RecordingKey?, method: String, url: String, status: Int?, size: Int) {
      self.key = key
      self.method = method
      self.url = url
      self.status = status
      self.size = size
    }

    /// The summary of an exchange as it is written.
    package init(_ exchange: RecordedExchange) {
      self.init(
        key: exchange.key, method: exchange.request.method.uppercased(), url: exchange.request.url,
        status: exchange.response?.status, size: exchange.response?.body.count ?? 0)
    }

    /// Reads an entry of a HAR file; `nil` if it is none that `RecordedExchange` reads.
    package init?(_ node: JSONNode) {
      guard let asked = node["request"], let url = asked["url"]?.string, !url.isEmpty else {
        return nil
      }
      let own = node["_pipeline"]
      let key = own.flatMap(RecordedExchange.key)
      let method = asked["method"]?.string?.uppercased() ?? "GET"
      if own?["error"] != nil {
        self.init(key: key, method: method, url: url, status: nil, size: 0)
        return
      }
      let answer = node["response"]
      guard let number = answer?["status"].flatMap(RecordedExchange.integer),
        (100..<1000).contains(number)
      else { return nil }
      let content = answer?["content"]
      let isElsewhere = content?["text"] == nil && content?["_file"] != nil
      let size = content?["size"].flatMap(RecordedExchange.integer)
      self.init(
        key: key, method: method, url: url, status: isElsewhere ? nil : number,
        size: size ?? content?["text"]?.string?.utf8.count ?? 0)
    }

    // MARK: In a line

    private static let tab: UInt8 = 0x09
    private static let lineFeed: UInt8 = 0x0A

    /// The summary without its key: fields with tabs between them. Controls in a text are blanks.
    package var fields: [UInt8] {
      let fields = [method, status.map { String($0) } ?? "", String(size), url]
      return Array(fields.map { $0.utf8.map { max($0, 0x20) } }.joined(separator: [Self.tab]))
    }

    /// The summary in a line, and after it the text of the entry.
    package func line(before text: [UInt8]) -> [UInt8] { fields + [Self.lineFeed] + text }

    /// What `line(before:)` has made; `nil` if it has not.
    package static func split(
      _ bytes: [UInt8], _ key: RecordingKey
    ) -> (summary: Summary, text: ArraySlice<UInt8>)? {
      guard let end = bytes.firstIndex(of: lineFeed) else { return nil }
      let fields = bytes[..<end].split(
        separator: tab, maxSplits: 3, omittingEmptySubsequences: false
      ).map { String(decoding: $0, as: UTF8.self) }
      guard fields.count == 4, let size = Int(fields[2]) else { return nil }
      let summary = Summary(
        key: key, method: fields[0], url: fields[3], status: Int(fields[1]), size: size)
      return (summary, bytes[(end + 1)...])
    }
  }
}
