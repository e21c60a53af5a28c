internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONText

// When a step has succeeded, and when it is tried again.

extension ArazzoWriter {
  /// What is expected of a response.
  func criteria(_ expect: JSONNode) throws(Loss) -> [JSONValue] {
    var criteria: [JSONValue] = []
    for member in expect.members {
      switch member.name {
      case "status":
        let statuses = Self.items(member.value)
        guard statuses.allSatisfy({ $0.kind == .number }) else {
          throw Loss(node: member.value, message: "a class of statuses has no counterpart")
        }
        criteria.append([
          "condition": .string(
            statuses.map { "$statusCode == \($0.text)" }.joined(separator: " || "))
        ])
      case "where":
        for condition in Self.items(member.value) {
          guard let text = condition.string, let found = Self.condition(text) else {
            throw Loss(node: condition, message: "the condition has no counterpart")
          }
          criteria.append(found)
        }
      default:
        throw Loss(node: member.value, message: "'\(member.name)' of 'expect' has no counterpart")
      }
    }
    return criteria
  }

  /// A condition: a query of the body with a filter at its end, or one comparison.
  private static func condition(_ text: String) -> JSONValue? {
    if text.hasPrefix(bytes: "@.body"), text.hasSuffix(bytes: "]"), text.contains(bytes: "[?") {
      return [
        "context": "$response.body", "type": "jsonpath",
        "condition": .string("$" + String(text.dropFirst(bytes: "@.body".utf8.count))),
      ]
    }
    let words = text.split(ascii: " ", maxSplits: 2).map { String($0) }
    guard words.count == 3, ["==", "!=", "<", "<=", ">", ">="].contains(words[1]),
      words[0].hasPrefix(bytes: "@.body"),
      let pointer = pointer(String(words[0].dropFirst(bytes: "@.body".utf8.count))),
      !words[2].hasPrefix(bytes: "$"), !words[2].hasPrefix(bytes: "@"),
      !words[2].contains(bytes: "&&"), !words[2].contains(bytes: "||"), words[2] != "null"
    else { return nil }
    return ["condition": .string("$response.body\(pointer) \(words[1]) \(words[2])")]
  }

  /// What follows a failure that is retried.
  mutating func action(
    _ retry: JSONNode, _ node: JSONNode, _ method: String
  ) throws(Loss) -> JSONValue {
    let id = node["id"]?.string ?? ""
    let known: Set<String> = ["attempts", "on", "delay", "factor", "jitter", "unsafe"]
    if retry.kind == .object, let other = retry.members.first(where: { !known.contains($0.name) }) {
      throw Loss(node: other.value, message: "'\(other.name)' of 'retry' has no counterpart")
    }
    guard let attempts = (retry.kind == .object ? retry["attempts"] : retry)?.number?.int else {
      throw Loss(node: retry, message: "'retry' has no number of attempts")
    }
    let delay = retry["delay"]?.string ?? "1s"
    guard delay.hasSuffix(bytes: "s"), !delay.hasSuffix(bytes: "ms"),
      let seconds = JSONValue(number: String(delay.dropLast(bytes: 1)))
    else { throw Loss(node: retry, message: "the delay '\(delay)' is not in seconds") }
    if !HTTPMethod.isIdempotent(method), retry["unsafe"]?.boolean != true {
      throw Loss(node: retry, message: "Arazzo sends \(method) again, which 'retry' does not")
    }
    let criteria = try retryCriteria(retry, hasExpectation: node["expect"] != nil)
    if attempts > 2, retry["factor"]?.number?.int != 1 {
      report.approximate(
        line(retry), "each pause is the same in Arazzo, and not longer than before")
    }
    var action: [JSONValue.Member] = [
      .init("name", "again"), .init("type", "retry"), .init("stepId", .string(id)),
      .init("retryAfter", seconds), .init("retryLimit", JSONValue(attempts - 1)),
    ]
    if !criteria.isEmpty { action.append(.init("criteria", .array(criteria))) }
    return .object(action)
  }

  /// Any failure, which Arazzo says without criteria.
  private static let anyFailure: Set<String> = ["network", "timeout", "4xx", "5xx"]

  /// The criteria of a retry: the statuses that are retried.
  private mutating func retryCriteria(
    _ retry: JSONNode, hasExpectation: Bool
  ) throws(Loss) -> [JSONValue] {
    let written = retry.kind == .object ? retry["on"] : nil
    let kinds = written.map { Self.items($0).compactMap(\.string) } ?? ["network", "timeout"]
    if Set(kinds) == Self.anyFailure, written?.count == kinds.count, !hasExpectation { return [] }
    guard kinds.allSatisfy({ ["network", "timeout"].contains($0) }) else {
      throw Loss(node: written ?? retry, message: "these failures of 'retry' have no counterpart")
    }
    let statuses =
      written.map { Self.items($0).filter { $0.kind == .number }.map(\.text) }
      ?? ["408", "425", "429", "502", "503", "504"]
    if !kinds.isEmpty {
      report.approximate(line(retry), "Arazzo retries by statuses, and not without a response")
    }
    guard !statuses.isEmpty else {
      throw Loss(node: retry, message: "a retry without a response has no counterpart")
    }
    return [
      [
        "condition": .string(statuses.map { "$statusCode == \($0)" }.joined(separator: " || "))
      ]
    ]
  }
}
