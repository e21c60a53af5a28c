internal import Workflows

/// A step of a frame. Places are ordered as their frames began, then as the steps are written.
struct StepPlace: Comparable {
  let frame: FrameID
  let context: FrameContext
  let step: Int

  var plan: StepPlan { context.block.steps[step] }

  static func == (left: StepPlace, right: StepPlace) -> Bool {
    left.frame == right.frame && left.step == right.step
  }

  static func < (left: StepPlace, right: StepPlace) -> Bool {
    left.frame == right.frame ? left.step < right.step : left.frame < right.frame
  }
}
