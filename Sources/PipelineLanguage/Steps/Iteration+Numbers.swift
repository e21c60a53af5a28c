import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

extension Iteration {
  /// The object of `forEach` over whole numbers.
  struct Numbers {
    let from: DataTemplate
    let to: DataTemplate
    let by: DataTemplate?
  }
}

extension Iteration.Numbers: DeclaredObject {
  init?(_ keys: inout Keys) {
    let bound = BoundType(by: keys.node(of: "by"))
    let from = keys.required(
      "from", bound, "The first number, or the date or moment at which the first window starts.",
      example: "1", foreign: ["start first min since"])
    let to = keys.required(
      "to", bound,
      "The last number, included, or the date or moment at which the last window ends.",
      example: #""{{list.pages}}""#,
      foreign: [
        "end last stop max until upTo through",
        .says("count times", "write 'from': 1 and 'to'"),
      ])
    by = keys.optional(
      "by", DistanceType(),
      "The distance between two numbers, or the length of a window: an amount of time such as `1d` or"
        + " `1mo`.", standard: "1", example: "2", foreign: ["step stride every window"])
    _ = keys.optional(
      "zone", .text, "The time zone by whose calendar and clocks the windows go.",
      example: #""Europe/Berlin""#, beside: ["by"], foreign: ["timezone tz"])
    _ = keys.optional(
      "format", .text, "How `start` and `end` are written: a format of `$date`.",
      example: #""unix""#, beside: ["by"])
    if let distance = keys.node(of: "by"), !bound.isOfTime {
      for name in ["zone", "format"] where keys.has(name) {
        keys.decoder.report(
          .invalidValue,
          "'\(name)' belongs to windows of time, whose 'by' is an amount such as \"1d\"",
          at: distance.range)
      }
    }
    keys.advise([
      .says(
        "items in list query values array each elements",
        "write the query itself: 'forEach': \"$.list.ids\""),
      .says(
        "as concurrency batch indexAs distinct", "it belongs beside 'forEach', in the step"),
      .says("matrix", "write a list: 'forEach': [1, 2]"),
    ])
    guard let from, let to else { return nil }
    self.from = from
    self.to = to
  }
}

/// A whole number, or in windows a date or moment; or a template that gives one.
private struct BoundType: ValueType {
  /// Whether `by` is an amount of time.
  let isOfTime: Bool
  private let hasDistance: Bool

  init(by node: JSONNode?) {
    isOfTime = DataTemplate.isAmount(node?.string ?? "")
    hasDistance = node != nil
  }

  var description: LanguageType { .either([.data, .integer(minimum: .min)]) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> DataTemplate? {
    if isOfTime {
      decoder.checkDate(node, name)
    } else if node.kind == .object || DataTemplate.isDate(node.string ?? "") {
      decoder.report(
        .missingKey,
        hasDistance
          ? "'\(name)' is a date, so 'by' must be an amount of time such as \"1d\""
          : "'\(name)' is a date, so the windows need 'by', such as \"1d\"", at: node.range)
    } else {
      decoder.checkBound(node, name, allowsZero: true)
    }
    // What windows read is in their own template.
    return isOfTime ? DataTemplate.parse(node, allowsQueries: false).data : decoder.data(node)
  }
}

/// A whole number but 0, an amount of time, or a template that gives a number.
private struct DistanceType: ValueType {
  var description: LanguageType { .either([.integer(minimum: .min), .text]) }

  func isMeant(by member: JSONMember) -> Bool {
    DataTemplate.isAmount(member.value.string ?? "")
  }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> DataTemplate? {
    if !DataTemplate.isAmount(node.string ?? "") {
      decoder.checkBound(node, name, allowsZero: false)
    }
    return DataTemplate.parse(node, allowsQueries: false).data
  }
}

extension WorkflowDecoder {
  /// Reports a start or an end that can be no date.
  fileprivate mutating func checkDate(_ node: JSONNode, _ name: String) {
    switch node.kind {
    case .object: break
    case .string:
      let text = node.string ?? ""
      guard Template.parse(text).template.references.isEmpty, !DataTemplate.isDate(text) else {
        return
      }
      if text == "now" || text == "today" {
        report(
          .invalidValue,
          "'\(text)' is only a default of inputs and state; write \"{{run.startedAt}}\"",
          at: node.range,
          fix: .replacing(node.range, with: "\"{{run.startedAt}}\"", isSafe: false))
        return
      }
      fallthrough
    case .number, .boolean, .null, .array:
      mistyped(
        node, name, "a date such as \"2026-01-31\" or a moment, because 'by' is an amount of time",
        hint: .none)
    }
  }

  /// Reports a number of a range that can be no whole number, or that must not be 0.
  fileprivate mutating func checkBound(_ node: JSONNode, _ name: String, allowsZero: Bool) {
    switch node.kind {
    case .number:
      guard let value = node.number?.int else {
        report(.invalidValue, "'\(name)' must be a whole number", at: node.range)
        return
      }
      if !allowsZero, value == 0 {
        report(
          .invalidValue, "'\(name)' must not be 0: the range would never end", at: node.range)
      }
    case .string where Template.parse(node.string ?? "").template.whole != nil: break
    default:
      let quoted = node.string.flatMap(Int.init)
      mistyped(
        node, name, "a whole number, or a template that gives one",
        hint: quoted.map { .withoutQuotes("\($0)", for: node.range) } ?? .none)
    }
  }
}
