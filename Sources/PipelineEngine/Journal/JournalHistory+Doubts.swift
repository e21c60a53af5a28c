package import PipelinePlanning

extension JournalHistory {
  /// The requests that a person must decide about before the run goes on. Others are looked up by
  /// their steps (`settle`).
  ///
  /// - Complexity: O(open requests × steps of a block).
  package func openDoubts(in plan: Plan) -> [SendingRecord] {
    sendings.filter { $0.isInDoubt && !plan.settlesItself($0.unit.step) }
  }
}
