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
    let from = keys.required(
      "from", .wholeNumber, "The first number.", example: "1",
      foreign: ["start first begin min"])
    let to = keys.required(
      "to", .wholeNumber, "The last number, included.", example: #""{{list.pages}}""#,
      foreign: [
        "end last stop max until upTo through",
        .says("count times", "write 'from': 1 and 'to'"),
      ])
    by = keys.optional(
      "by", WholeNumberType(allowsZero: false), "The distance between two numbers.",
      standard: "1", example: "2", foreign: ["step increment stride every"])
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

/// A whole number, or a template that gives one.
struct WholeNumberType: ValueType {
  var allowsZero = true

  var description: LanguageType { .either([.integer(minimum: .min), .reference]) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> DataTemplate? {
    decoder.checkBound(node, name, allowsZero: allowsZero)
    return decoder.data(node)
  }
}

extension ValueType where Self == WholeNumberType {
  fileprivate static var wholeNumber: WholeNumberType { WholeNumberType() }
}

extension WorkflowDecoder {
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
