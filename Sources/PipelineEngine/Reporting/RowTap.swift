internal import PipelineJSONText
package import PipelinePlanning

/// Takes the rows of a collection of the file, in the order of the items, or of the pages of a step,
/// in the order of the pages, during the run.
///
/// If the rows have no other reader, they are not kept: memory stays flat however many there are.
package struct RowTap: Sendable {
  package enum Event: Sendable {
    /// A row as compact JSON text, secrets hidden.
    case row([UInt8])
    /// No row follows. If they are not whole, the step recovered from a failure, or was skipped with
    /// an `otherwise`, and its value is an empty list.
    ///
    /// A step with pages that recovered, or was skipped, has no end: its value is that of
    /// `otherwise`.
    case end(areWhole: Bool)
  }

  let source: RowSource
  /// The number of the step.
  let step: Int
  /// The extractor whose list has the rows, of a step with pages.
  let extractor: String?
  /// The position of the output that is these rows, which is then not kept for this tap.
  let output: Int?
  /// Where the rows lie in a row of the collection, or in the list of a page.
  private let path: RowPath
  private let taint: Taint
  private let isRevealed: Bool
  /// What the rows are compared with before they are handed on; `nil` if there is nothing.
  let contract: RowContract?
  /// Called by one task at a time. It should be quick.
  private let receive: @Sendable (Event) -> Void

  /// `nil` if the rows are known only when the run has ended.
  package init?(
    of source: RowSource, in plan: Plan, contract: RowContract? = nil,
    receive: @escaping @Sendable (Event) -> Void
  ) {
    switch source {
    case .collection(let step, let output, let path):
      (self.step, self.extractor, self.output, self.path) = (step, nil, output, path)
    case .pages(let step, let extractor, let output, let path):
      (self.step, self.extractor, self.output, self.path) = (step, extractor, output, path)
    case .output: return nil
    }
    self.source = source
    self.contract = contract
    taint = plan.rowTaint(of: source)
    isRevealed = plan.revealsRows(of: source)
    self.receive = receive
  }

  /// Hands on the rows in a row of the collection, or in the list of a page.
  func handOn(_ value: [UInt8], _ redactor: Redactor) {
    if path.isValue {
      if isRevealed { return handOn(value) }
      if taint.isNone { return handOn(redactor.redact(json: value)) }
    }
    path.forEach(in: JSONDocument.written(value).root) { row in
      if isRevealed { return handOn(row.compactText) }
      let masked = taint.isNone ? row : row.masked(taint)
      handOn(redactor.redact(json: masked.compactText))
    }
  }

  private func handOn(_ row: [UInt8]) {
    guard let contract else { return receive(.row(row)) }
    let node = JSONDocument.written(row).root
    receive(.row(contract.check(node) ? row : contract.shortened(node)))
  }

  /// The rows are at an end.
  func end(areWhole: Bool) { receive(.end(areWhole: areWhole)) }
}

extension JSONNode {
  /// As a value of a line.
  fileprivate var compactText: [UInt8] {
    var writer = JSONWriter(style: .compact)
    writer.value(self)
    return writer.bytes
  }
}
