internal import PipelineWorkflows

/// The destination of a collection's rows.
enum RowUse: Sendable {
  /// They are the step's value.
  case kept
  /// They are handed on one by one, and the step has no value.
  case handedOn
  /// They are handed on, and are the step's value.
  case both
}

/// The collections of a file whose rows are handed on, by the numbers of the steps.
struct HandedRows: Sendable {
  private var uses: [Int: RowUse] = [:]

  /// None.
  init() {}

  /// Those that the options of a run ask for.
  init(of plan: Plan, _ options: RunOptions) {
    let outputs = Set(options.rowTaps.compactMap(\.output))
    for tap in options.rowTaps {
      uses[tap.step] = plan.readsRows(of: tap.step, besides: outputs) ? .both : .handedOn
    }
    guard options.rowReader != nil, let step = plan.streamableStep, uses[step] == nil else {
      return
    }
    uses[step] = .handedOn
  }

  subscript(_ step: Int) -> RowUse {
    // Most runs hand on none.
    uses.isEmpty ? .kept : uses[step] ?? .kept
  }
}
