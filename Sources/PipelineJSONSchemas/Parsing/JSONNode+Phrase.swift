import PipelineJSONText

extension JSONNode {
  /// `a string: "abc"`, cut if it is long.
  var phrase: String {
    switch kind {
    case .null: "null"
    case .boolean: text
    case .number: "a number: \(excerpt)"
    case .string: "a string: \(excerpt)"
    case .object: count == 0 ? "an empty object" : "an object"
    case .array: count == 0 ? "an empty array" : "an array"
    }
  }

  /// The value's JSON text, cut if it is long.
  var excerpt: String {
    let limit = 60
    let bytes = utf8
    guard bytes.count > limit else { return text }
    var end = bytes.startIndex + limit - 3
    while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + "…"
  }
}
