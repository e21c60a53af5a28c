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

    /// Reads an entry of a HAR file; `nil` if it is none that `RecordedExchange` reads.
    package init?(_ node: JSONNode) {
      guard let asked = node["request"], let url = asked["url"]?.string, !url.isEmpty else {
        return nil
      }
      let own = node["_pipeline"]
      key = own.flatMap(RecordedExchange.key)
      method = asked["method"]?.string?.uppercased() ?? "GET"
      self.url = url
      if own?["error"] != nil {
        (status, size) = (nil, 0)
        return
      }
      let answer = node["response"]
      guard let number = answer?["status"].flatMap(RecordedExchange.integer),
        (100..<1000).contains(number)
      else { return nil }
      let content = answer?["content"]
      let isElsewhere = content?["text"] == nil && content?["_file"] != nil
      status = isElsewhere ? nil : number
      size =
        content?["size"].flatMap(RecordedExchange.integer) ?? content?["text"]?.string?.utf8.count
        ?? 0
    }
  }
}
