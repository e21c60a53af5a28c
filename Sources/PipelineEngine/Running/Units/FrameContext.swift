internal import PipelineByteText
internal import PipelineJSONText
internal import PipelinePlanning

/// The part of a frame that does not change during the pass, for its tasks.
final class FrameContext: Sendable {
  let plan: Plan
  /// The places of secrets in the file, given the inputs of this call.
  let secrecy: Secrecy
  /// The influence of responses on the URLs of the file, given the inputs of this call.
  let provenance: Provenance
  /// The called files around, outermost first, without the run's own file.
  let callers: [Plan]
  let block: BlockPlan
  /// The run's files, as the file of the block names them.
  let files: any FileAccess
  let inputs: ScopeValue
  /// The state that the last run left; `nil` in a called file.
  let state: ScopeValue?
  /// The loop names of the step around.
  let loop: Scope.Item?
  /// How events name the step around.
  let label: StepLabel?
  /// Whether this pass can stop while the run continues.
  let isSelective: Bool
  /// The length of the longest chain of steps in the blocks around that waits for this pass to end.
  let outerPath: Int
  /// The fingerprint of the items around, in a run with a journal: units of equal items are
  /// interchangeable.
  let lineage: Fingerprint
  /// Whether the pass, or one around it, was tried before: nothing that was recorded is taken.
  let isLaterAttempt: Bool

  init(
    plan: Plan, secrecy: Secrecy, provenance: Provenance, callers: [Plan], block: BlockPlan,
    files: any FileAccess, inputs: ScopeValue, state: ScopeValue?, loop: Scope.Item?,
    label: StepLabel?, isSelective: Bool, outerPath: Int = 0, lineage: Fingerprint = .none,
    isLaterAttempt: Bool = false
  ) {
    self.isLaterAttempt = isLaterAttempt
    self.plan = plan
    self.secrecy = secrecy
    self.provenance = provenance
    self.callers = callers
    self.files = files
    self.block = block
    self.inputs = inputs
    self.state = state
    self.loop = loop
    self.label = label
    self.isSelective = isSelective
    self.outerPath = outerPath
    self.lineage = lineage
  }

  /// The context of another attempt.
  var again: FrameContext {
    FrameContext(
      plan: plan, secrecy: secrecy, provenance: provenance, callers: callers, block: block,
      files: files, inputs: inputs, state: state, loop: loop, label: label,
      isSelective: isSelective, outerPath: outerPath, lineage: lineage, isLaterAttempt: true)
  }

  /// The lineage of a pass for an item of this one.
  func lineage(of item: Scope.Item?) -> Fingerprint {
    guard let item, lineage != .none else { return lineage }
    return SHA256.lineage(of: item.node, in: lineage)
  }

  /// The same for an item that has not begun.
  func lineage(ofNode node: JSONNode) -> Fingerprint { SHA256.lineage(of: node, in: lineage) }

  func label(of step: Int) -> StepLabel {
    let id = block.steps[step].step.pathID
    guard let label else { return StepLabel(id: id, path: []) }
    return StepLabel(id: label.id + "." + id, path: label.path, group: label.group)
  }
}
