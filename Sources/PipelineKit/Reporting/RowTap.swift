internal import PipelineJSONText
package import PipelineWorkflows

/// Takes the rows of a collection of the file, in the order of the items, during the run.
///
/// If nobody else reads the rows, they are not kept: memory stays flat however many there are.
package struct RowTap: Sendable {
  package enum Event: Sendable {
    /// A row as compact JSON text, secrets hidden.
    case row([UInt8])
    /// No row follows. If they are not whole, the step recovered from a failure, or was skipped with
    /// an `otherwise`, and its value is an empty list.
    case end(areWhole: Bool)
  }

  /// The number of the step.
  let step: Int
  /// The position of the output that is these rows, which is then not kept for this tap.
  let output: Int?
  private let taint: Taint
  private let isRevealed: Bool
  /// Called from one task. It should be quick.
  let receive: @Sendable (Event) -> Void

  /// `nil`: the rows are known only when the run has ended.
  package init?(
    of source: RowSource, in plan: Plan, receive: @escaping @Sendable (Event) -> Void
  ) {
    guard case .collection(let step, let output) = source else { return nil }
    self.step = step
    self.output = output
    taint = plan.rowTaint(of: source)
    isRevealed = plan.revealsRows(of: source)
    self.receive = receive
  }

  /// A row as others may see it.
  func hiding(_ row: [UInt8], _ redactor: Redactor) -> [UInt8] {
    if isRevealed { return row }
    guard !taint.isNone else { return redactor.redact(json: row) }
    let masked = JSONDocument.written(row).root.masked(taint)
    return redactor.redact(json: Array(masked.utf8))
  }
}
