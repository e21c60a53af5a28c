import PipelineJSONPaths
import PipelineJSONText
import PipelineTemplates

/// The keys of a step that runs once for each item.
struct IterationKeys {
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
      example: #""$.list.ids""#,
      foreign: [
        .says(
          "for foreach loop items each withItems iterate strategy matrix over range itemsPath"
            + " iterator", "write 'forEach': \"$.list.ids\"", as: "…")
      ])
    name = keys.optional(
      "as", .scopeName, "The item's name inside the step.",
      standard: "\"\(Iteration.usualName)\"", example: #""id""#, beside: ["forEach"],
      foreign: ["loopVar variable var alias"])
    indexName = keys.optional(
      "indexAs", .scopeName, "The name of the item's number, from 0, inside the step.",
      example: #""number""#, beside: ["forEach"], foreign: ["index indexVar"])
    concurrency = keys.concurrency(beside: "forEach")
    batch = keys.optional(
      "batch", AmountType(),
      "Takes up to this many items together; the loop name is then a list.", example: "10",
      beside: ["forEach"], foreign: ["batchSize chunk chunkSize"])
    until = keys.optional(
      "until", .condition(of: .row),
      "The collection ends after the first item whose row, `@`, satisfies this. Needs"
        + " `\"concurrency\": 1`.", example: #""@.id > 100""#, beside: ["forEach"],
      foreign: ["while"])
    isDistinct = keys.value(
      "distinct", .boolean, default: false, "Leaves out an item that equals an earlier one.",
      example: "true", beside: ["forEach"], foreign: ["unique dedupe"])
    onItemError = keys.optional(
      "onItemError", .choice(Iteration.OnItemError.self),
      "`fail` cancels the other items; `collect` runs them all, and the row of a failed item is"
        + " `null`. Under `recover` it is always `collect`.",
      standard: "\"\(Iteration.OnItemError.fail.rawValue)\"", example: #""collect""#,
      beside: ["forEach"],
      foreign: [
        .says(
          "failFast",
          "write 'onItemError': \"fail\" or \"collect\"")
      ])
  }
}

extension Keys {
  /// The values that each item leaves to the next run.
  mutating func itemState() -> [StateValue] {
    optional(
      "state", StateType(isOfItems: true),
      "Values that each item leaves to the next run, kept by the item's key.",
      example: #"{"since": {"by": "{{account}}", "next": "{{run.startedAt}}"}}"#,
      beside: ["forEach"], names: .input) ?? []
  }

  /// `repeat`, with its place in the document.
  mutating func repetition() -> Written<RepeatKeys>? {
    let keys = optional(
      "repeat", .written(.object(.rounds, RepeatKeys.self)),
      "Carries out the block again and again, until a condition holds.",
      example: #"{"until": "@.done", "maxRounds": 100}"#,
      foreign: [
        .says(
          "doWhile doUntil whilst",
          "write 'repeat': {\"until\": \"@.…\", \"maxRounds\": 100} beside 'steps'", as: "…")
      ])
    conflict(
      "repeat", with: "forEach",
      "'repeat' and 'forEach' cannot be in one step; write one of them in a step of the block")
    return keys
  }
}
