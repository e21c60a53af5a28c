internal import PipelinePlanning

/// A step of a frame. Places are ordered as their frames began, then as the steps are written.
struct StepPlace: Comparable {
  let frame: FrameID
  let context: FrameContext
  let step: Int

  var plan: StepPlan { context.block.steps[step] }

  /// How many steps the longest chain has that waits for this step, in its block and around it.
  var remainingPath: Int { plan.remainingPath + context.outerPath }

  static func == (left: StepPlace, right: StepPlace) -> Bool {
    left.frame == right.frame && left.step == right.step
  }

  static func < (left: StepPlace, right: StepPlace) -> Bool {
    left.frame == right.frame ? left.step < right.step : left.frame < right.frame
  }
}
