package import PipelinePlanning

extension JournalHistory {
  /// The requests that a person must decide about before the run goes on. Others are looked up by
  /// their steps (`settle`).
  ///
  /// - Complexity: O(open requests × steps of a block).
  package func openDoubts(in plan: Plan) -> [SendingRecord] {
    sendings.filter { $0.isInDoubt && !plan.settlesItself($0.unit.step) }
  }

  /// The requests with an unknown outcome about which their units decide: they send them again with
  /// their Idempotency-Key, or look them up (`settle`).
  func underWay(in plan: Plan) -> [SendingRecord] {
    sendings.filter { !$0.isInDoubt || plan.settlesItself($0.unit.step) }
  }
}
