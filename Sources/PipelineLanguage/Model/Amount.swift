import PipelineJSONText
package import PipelineTemplates

/// A whole number, or a template that gives one.
package struct Amount: Sendable {
  package var number: Written<Int>?
  package var data: DataTemplate?
}

/// A whole number from 1, or from another minimum, or a template that gives one.
struct AmountType: ValueType {
  var minimum = 1

  var description: LanguageType { .either([.integer(minimum: minimum), .reference]) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Amount? {
    guard let text = node.string, Int(text) == nil else {
      return decoder.integer(node, name, minimum: minimum).map {
        Amount(number: Written($0, at: node))
      }
    }
    guard Template.parse(text).template.whole != nil else {
      decoder.mistyped(node, name, "a whole number, or a template that gives one")
      return nil
    }
    return Amount(data: decoder.data(node))
  }
}

extension Keys {
  /// - Parameter companion: The key that must be beside it.
  mutating func concurrency(beside companion: String? = nil) -> Amount? {
    inherited(
      "concurrency", AmountType(), over: decoder.defaults.concurrency,
      "The maximum number of items at once; 1 runs them one after another. By default, the run's"
        + " limit.", example: "1", beside: [companion].compactMap(\.self),
      foreign: [
        "maxConcurrency maxParallel parallelism workers threads concurrencyLimit"
      ])
  }
}
