import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A contract that the rows of the file cannot fulfil, or that is for no rows.
enum ContractOfRows: LintRule {
  static let explanation = Explanation(
    "contract-of-rows", .error, PackageResources.contract_of_rows_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    context.workflow.contracts.flatMap { problems(with: $0, context) }
  }

  private static func problems(with contract: Contract, _ context: LintContext) -> [Diagnostic] {
    let outputs = context.workflow.block.outputs ?? []
    let row: ValueShape
    if let output = outputs.first(where: { $0.name.equals(bytes: contract.name) }) {
      let shape = context.shape(of: output.value) { context.read($0, inOutputsOf: 0) }
      switch shape.content {
      case .unknown, .null, .choice: return []
      case .list(let element): row = element
      case .string, .integer, .number, .boolean, .object:
        return [
          finding("'\(contract.name)' is one value; a contract is for rows", at: contract.nameRange)
        ]
      }
    } else if let shape = rows(of: contract.name, context) {
      row = shape
    } else {
      return [unknown(contract, outputs, context)]
    }
    return (contract.declaredColumns ?? []).compactMap { column in
      let shape = row.member(column.name)
      // A scalar type of an extractor is that of each element, if it takes a list.
      guard let given = shape.contentKind, given != .null,
        given != column.type.shape.contentKind, !shape.maybeList || column.type != .array
      else { return nil }
      return finding(
        "'\(column.name)' is \(shape.words) where it comes from, but"
          + " \(column.type.words) here", at: column.range)
    }
  }

  /// What is known of a row of a step with `forEach`; `nil` if there is none of that name.
  private static func rows(of step: String, _ context: LintContext) -> ValueShape? {
    let index = context.workflow.block.steps.firstIndex {
      $0.id.value.equals(bytes: step) && $0.forEach != nil
    }
    return index.map { context.shapes[context.blocks[0].steps[$0]].row }
  }

  private static func unknown(
    _ contract: Contract, _ outputs: [Field], _ context: LintContext
  ) -> Diagnostic {
    let steps = context.workflow.block.steps
    if steps.contains(where: { $0.id.value.equals(bytes: contract.name) }) {
      return finding(
        "step '\(contract.name)' has no 'forEach', so it has no rows; name an output that is a list",
        at: contract.nameRange)
    }
    let names = outputs.map(\.name) + steps.filter { $0.forEach != nil }.map(\.id.value)
    return finding(
      "'\(contract.name)' is not an output, and not a step with 'forEach'"
        + Spelling.didYouMean(contract.name, among: names), at: contract.nameRange)
  }
}
