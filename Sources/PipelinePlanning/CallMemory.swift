/// The results for the files that a plan calls, each once for each taint of its inputs.
///
/// Files that call each other many times reach one file in more ways than can be judged one by one.
/// A file that is called in many ways is judged as if all that it is given were tainted.
final class CallMemory<Judgement> {
  private var known: [ObjectIdentifier: [Taint: Judgement]] = [:]
  /// The number of times that a file was judged.
  private(set) var judgedCount = 0

  /// The maximum number of taints of one file's inputs that are kept separate.
  private static var limit: Int { 32 }

  /// The results for the file of `root`, which `judge` computes if they are missing.
  ///
  /// - Parameter judge: Takes the taint to judge the file with: `given`, or one that holds more.
  func judgement(
    of root: BlockPlan, given: Taint, _ judge: (Taint) -> Judgement
  ) -> Judgement {
    let file = ObjectIdentifier(root)
    if let judgement = known[file]?[given] { return judgement }
    let isKnownWell = known[file].map { $0.count >= Self.limit } ?? false
    if isKnownWell, let judgement = known[file]?[.whole] { return judgement }
    let taint = isKnownWell ? Taint.whole : given
    judgedCount += 1
    let judgement = judge(taint)
    known[file, default: [:]][taint] = judgement
    return judgement
  }
}

/// The results that all files planned together share.
package final class PlanMemory {
  let secrecy = CallMemory<Secrecy>()
  let provenance = CallMemory<Provenance>()

  package init() {}
}
