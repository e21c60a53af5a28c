internal import PipelineLanguage
internal import PipelinePlanning

/// A step that may start. The most urgent step comes first: by priority, then by the longest
/// remaining path, then the one whose last start is longest ago. After these, earlier blocks come
/// first, then the order of the file.
struct ReadyStep: Comparable {
  let place: StepPlace
  let priority: Int
  let remainingPath: Int
  /// When the step last started something, as a count of all starts; 0: never. Of steps that are as
  /// urgent none waits while another starts all of its items.
  var lastStart = 0

  init(_ place: StepPlace, lastStart: Int) {
    self.place = place
    self.lastStart = lastStart
    priority = place.plan.step.priority
    remainingPath = place.remainingPath
  }

  static func == (left: ReadyStep, right: ReadyStep) -> Bool { left.place == right.place }

  /// Whether `left` is more urgent.
  static func < (left: ReadyStep, right: ReadyStep) -> Bool {
    if left.priority != right.priority { return left.priority > right.priority }
    if left.remainingPath != right.remainingPath {
      return left.remainingPath > right.remainingPath
    }
    if left.lastStart != right.lastStart { return left.lastStart < right.lastStart }
    return left.place < right.place
  }
}

/// A step that may start while very many passes are under way. Steps that the latest pass needs
/// come first.
struct InnerStep: Comparable {
  let ready: ReadyStep

  static func < (left: InnerStep, right: InnerStep) -> Bool {
    let (leftFrame, rightFrame) = (left.ready.place.frame, right.ready.place.frame)
    return leftFrame == rightFrame ? left.ready < right.ready : rightFrame < leftFrame
  }
}
