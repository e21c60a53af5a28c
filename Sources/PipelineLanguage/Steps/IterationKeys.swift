import PipelineJSONPaths
import PipelineJSONText
import PipelineTemplates

/// The keys of a step that runs once for each item.
struct IterationKeys: DeclaredObject {
  let source: Written<Iteration.Source>?
  let name: Written<String>?
  let indexName: Written<String>?
  let concurrency: Amount?
  let batch: Amount?
  let until: Written<Condition>?
  let isDistinct: Bool
  let onItemError: Iteration.OnItemError?

  init(_ keys: inout Keys) {
    source = keys.optional(
      "forEach", IterationSourceType(), "Runs the action once for each item.",
      example: #""$.list.ids""#)
    name = keys.optional(
      "as", .scopeName, "The item's name inside the step.",
      standard: "\"\(Iteration.usualName)\"", example: #""id""#, beside: ["forEach"])
    indexName = keys.optional(
      "indexAs", .scopeName, "The name of the item's number, from 0, inside the step.",
      example: #""number""#, beside: ["forEach"])
    concurrency = keys.concurrency(beside: "forEach")
    batch = keys.optional(
      "batch", AmountType(),
      "Takes up to this many items together; the loop name is then a list.", example: "10",
      beside: ["forEach"])
    until = keys.optional(
      "until", .condition(of: .row),
      "The collection ends after the first item whose row, `@`, satisfies this. Needs"
        + " `\"concurrency\": 1`.", example: #""@.id""#, beside: ["forEach"])
    isDistinct = keys.value(
      "distinct", .boolean, default: false, "Leaves out an item that equals an earlier one.",
      example: "true", beside: ["forEach"])
    onItemError = keys.optional(
      "onItemError", .choice(Iteration.OnItemError.self),
      "`fail` cancels the other items; `collect` runs them all, and the row of a failed item is"
        + " `null`. Under `recover` it is always `collect`.",
      standard: "\"\(Iteration.OnItemError.fail.rawValue)\"", example: #""collect""#,
      beside: ["forEach"])
  }
}
