internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText

/// What a step expects of its response: criteria of Arazzo as statuses and conditions.
struct ArazzoCriteria {
  private(set) var statuses: [String] = []
  private(set) var conditions: [String] = []
  /// The dialects of queries that criteria name.
  private(set) var versions: [String] = []

  /// The members of `expect`; empty if nothing but a success is expected.
  var members: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if !statuses.isEmpty {
      let values = statuses.map { JSONValue(number: $0) ?? .string($0) }
      members.append(.init("status", values.count == 1 ? values[0] : .array(values)))
    }
    if !conditions.isEmpty {
      members.append(.init("where", .array(conditions.map { .string($0) })))
    }
    return members
  }

  /// Adds a criterion.
  ///
  /// - Parameter path: Where an expression is for a condition: `@.status`.
  mutating func add(
    _ node: ReadNode, _ path: (ArazzoExpression) throws(ArazzoRefusal) -> String
  ) throws(ArazzoRefusal) {
    guard let text = node["condition"]?.string?.trimmed, !text.isEmpty else {
      throw ArazzoRefusal(message: "a criterion has no condition")
    }
    let type = node["type"]?.string ?? node["type"]?["type"]?.string ?? "simple"
    if let version = node["type"]?["version"]?.string { versions.append(version) }
    switch type {
    case "simple":
      // It is written in terms of expressions, and has no context of its own.
      _ = node["context"]
      try addSimple(text, path)
    case "jsonpath":
      guard let context = node["context"]?.string, let expression = ArazzoExpression(context),
        text.hasPrefix(bytes: "$")
      else { throw ArazzoRefusal(message: "the criterion '\(text)' has no context") }
      try append(try path(expression) + String(text.dropFirst(bytes: 1)), text)
    case "regex":
      guard let context = node["context"]?.string, let expression = ArazzoExpression(context) else {
        throw ArazzoRefusal(message: "the criterion '\(text)' has no context")
      }
      guard let pattern = IRegexp.meant(by: text) else {
        throw ArazzoRefusal(message: "the pattern '\(text)' is more than an I-Regexp (RFC 9485)")
      }
      if expression.root == .status {
        let matched = try Self.statuses(matching: pattern, text)
        statuses = statuses.isEmpty ? matched : statuses.filter(matched.contains)
        return
      }
      let quoted = pattern.replacing(bytes: "\\", with: "\\\\").replacing(bytes: "'", with: "\\'")
      try append("search(\(try path(expression)), '\(quoted)')", text)
    default: throw ArazzoRefusal(message: "criteria of type '\(type)' have no counterpart")
    }
  }

  /// The statuses that a pattern finds. Whole hundreds are one word: `2xx`.
  private static func statuses(
    matching pattern: String, _ text: String
  ) throws(ArazzoRefusal) -> [String] {
    guard case .success(let expression) = IRegexp.parse(pattern) else {
      throw ArazzoRefusal(message: "the pattern '\(text)' is more than an I-Regexp (RFC 9485)")
    }
    let found = (1...5).flatMap { hundred in
      let statuses = (0..<100).map { String(hundred * 100 + $0) }.filter { expression.search($0) }
      return statuses.count == 100 ? ["\(hundred)xx"] : statuses
    }
    guard (1...limit).contains(found.count) else {
      throw ArazzoRefusal(
        message: found.isEmpty
          ? "no status matches '\(text)'" : "'\(text)' matches too many statuses to list them")
    }
    return found
  }

  /// How many statuses a pattern may stand for.
  private static let limit = 110

  private mutating func addSimple(
    _ text: String, _ path: (ArazzoExpression) throws(ArazzoRefusal) -> String
  ) throws(ArazzoRefusal) {
    if let found = Self.statuses(in: text) {
      // A second criterion about the status narrows the first one.
      statuses = statuses.isEmpty ? found : statuses.filter(found.contains)
      return
    }
    if text.contains(bytes: "$statusCode"), statuses.isEmpty {
      statuses = ["1xx", "2xx", "3xx", "4xx", "5xx"]
    }
    try append(try Self.condition(text, path), text)
  }

  /// Adds a condition of this language, if there is one.
  private mutating func append(_ condition: String, _ text: String) throws(ArazzoRefusal) {
    guard let own = Condition.meant(by: condition, in: .template) else {
      throw ArazzoRefusal(message: "the criterion '\(text)' has no counterpart")
    }
    conditions.append(own)
  }

  /// The statuses of `$statusCode == 200 || $statusCode == 201`; `nil` if the text is another one.
  private static func statuses(in text: String) -> [String]? {
    var found: [String] = []
    for part in text.replacing(bytes: "||", with: "\n").split(ascii: "\n") {
      let sides = String(part).replacing(bytes: "==", with: "\n").split(ascii: "\n").map {
        String($0).trimmed
      }
      guard sides.count == 2, sides[0].equals(bytes: "$statusCode"), sides[1].utf8.count == 3,
        sides[1].utf8.allSatisfy(ASCIISet.digits.contains)
      else { return nil }
      found.append(sides[1])
    }
    return found.isEmpty ? nil : found
  }

  /// A simple condition with our names of values. Comparisons with `null` hold for an absent value.
  private static func condition(
    _ text: String, _ path: (ArazzoExpression) throws(ArazzoRefusal) -> String
  ) throws(ArazzoRefusal) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        let end =
          bytes[(position + 1)...].firstIndex(of: byte) ?? bytes.count - 1
        result += bytes[position...end]
        position = end + 1
        continue
      }
      guard byte == UInt8(ascii: "$") else {
        result.append(byte)
        position += 1
        continue
      }
      let end =
        bytes[(position + 1)...].firstIndex { !ArazzoExpression.bytes.contains($0) } ?? bytes.count
      let name = String(decoding: bytes[position..<end], as: UTF8.self)
      guard let expression = ArazzoExpression(name) else {
        throw ArazzoRefusal(message: "'\(name)' has no counterpart in a condition")
      }
      let query = try path(expression)
      position = end
      if case .header = expression.root,
        let next = try comparison(ofHeader: query, bytes, from: end, &result, text)
      {
        position = next
      } else if let (isEqual, next) = comparisonWithNull(bytes, from: end) {
        result += Array(
          (isEqual ? "(!\(query) || \(query) == null)" : "(\(query) && \(query) != null)").utf8)
        position = next
      } else {
        result += Array(query.utf8)
      }
    }
    return String(decoding: result, as: UTF8.self).trimmed
  }

  /// Adds the comparison of a header with a number, and gives its end; `nil` if there is none.
  ///
  /// A header is a text, so that it equals the text of a number, and is not less or more.
  private static func comparison(
    ofHeader query: String, _ bytes: [UInt8], from start: Int, _ result: inout [UInt8],
    _ text: String
  ) throws(ArazzoRefusal) -> Int? {
    let refusal = "the criterion '\(text)' compares a header, which is a text, with a number"
    func end(of start: Int, _ set: ASCIISet) -> Int {
      bytes[start...].firstIndex { !set.contains($0) } ?? bytes.count
    }
    let blanks = ASCIISet(" ")
    let sign = end(of: start, blanks)
    let signEnd = end(of: sign, signs)
    let number = end(of: signEnd, blanks)
    let numberEnd = end(of: number, numbers)
    guard signEnd > sign, numberEnd > number else {
      if endsInNumber(result) { throw ArazzoRefusal(message: refusal) }
      return nil
    }
    let word = String(decoding: bytes[sign..<signEnd], as: UTF8.self)
    guard ["==", "!="].contains(word) else { throw ArazzoRefusal(message: refusal) }
    let literal = String(decoding: bytes[number..<numberEnd], as: UTF8.self)
    result += Array("\(query) \(word) '\(literal)'".utf8)
    return numberEnd
  }

  private static let signs = ASCIISet("=!<>")
  private static let numbers = ASCIISet.digits.union(ASCIISet("-."))

  /// Whether a condition ends in a number and a sign: `5 <`.
  private static func endsInNumber(_ condition: [UInt8]) -> Bool {
    func dropping(_ bytes: ArraySlice<UInt8>, _ set: ASCIISet) -> ArraySlice<UInt8> {
      bytes.prefix((bytes.lastIndex { !set.contains($0) } ?? bytes.startIndex - 1) + 1)
    }
    let blanks = ASCIISet(" ")
    let signed = dropping(condition[...], blanks)
    let number = dropping(dropping(signed, signs), blanks)
    let before = dropping(number, numbers)
    return signed.count > dropping(signed, signs).count && number.count > before.count
      && before.last.map { ASCIISet(" (!&|").contains($0) } ?? true
  }

  /// Whether `== null` or `!= null` is next, and where it ends.
  private static func comparisonWithNull(
    _ bytes: [UInt8], from start: Int
  ) -> (isEqual: Bool, end: Int)? {
    let rest = bytes[start...].drop { $0 == UInt8(ascii: " ") }
    let isEqual = rest.starts(with: "==".utf8)
    guard isEqual || rest.starts(with: "!=".utf8) else { return nil }
    let value = rest.dropFirst(2).drop { $0 == UInt8(ascii: " ") }
    return value.starts(with: "null".utf8) ? (isEqual, value.startIndex + 4) : nil
  }
}
