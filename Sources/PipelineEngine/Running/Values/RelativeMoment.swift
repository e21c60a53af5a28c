internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage

/// A moment relative to the run's start: `now`, `now-30d`, `now+90m`.
enum RelativeMoment {
  /// The distance from now; `nil` if the text is not such a moment.
  static func parse(_ text: String) -> Duration? {
    guard text.hasPrefix(bytes: "now") else { return nil }
    let rest = text.dropFirst(bytes: 3)
    guard let sign = rest.first else { return .zero }
    guard sign == "-" || sign == "+" else { return nil }
    return Quantities.duration(String(rest.dropFirst(bytes: 1))).map {
      sign == "-" ? .zero - $0 : $0
    }
  }

  /// The moment of `now`, `now-30d` or `now+2h` in a `date` or `datetime`; `nil` for other values.
  static func resolve(
    _ node: JSONNode, _ type: Input.ValueType, startedAt: Double
  ) -> JSONNode? {
    guard type == .date || type == .datetime, let text = node.string, let offset = parse(text)
    else { return nil }
    let timestamp = Timestamp(secondsSince1970: startedAt + offset.seconds)
    return JSONValue.string(type == .date ? timestamp.date : timestamp.text).node
  }
}
