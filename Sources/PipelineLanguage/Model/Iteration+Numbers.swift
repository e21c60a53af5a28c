import PipelineJSONText
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
    keys.advise(
      .says(
        "items in list query values array each elements",
        "write the query itself: 'forEach': \"$.list.ids\""),
      .says(
        "as concurrency batch until indexAs distinct", "it belongs beside 'forEach', in the step"),
      .says("matrix", "write a list: 'forEach': [1, 2]"))
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
