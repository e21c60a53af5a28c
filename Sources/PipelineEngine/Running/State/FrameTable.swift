internal import PipelineLanguage
internal import PipelinePlanning

/// The passes under way, and which of them have something to do.
struct FrameTable {
  private var frames: Arena<Frame>
  /// Frames that have begun, and perhaps ended.
  private var begunCount = 1
  /// Frames with freed steps, the first begun first. A frame that has ended may still be there.
  private var freed = Heap<FrameID>()
  /// Frames whose phase has no step left. A frame may be there twice.
  private var ended: [FrameID] = []
  /// Frames that must end in time, by number.
  private var timed: [Int: FrameID] = [:]
  /// Passes through blocks and called files that have begun and not ended.
  private(set) var passCount = 0

  /// With this number of passes, what the latest of them need comes first, so that they end.
  private static let manyPasses = 2_048

  /// Hides what is made of secrets.
  let redactor: Redactor

  init(root context: FrameContext, redactor: Redactor) {
    self.redactor = redactor
    frames = Arena(vacant: Frame(vacantWith: context))
    frames[frames.reserve()] = Frame(
      context, id: .root, parent: nil, item: 0, isInsideCleanUp: false)
  }

  /// A frame that has not ended. The root frame exists until the end of the run.
  subscript(id: FrameID) -> Frame {
    _read { yield frames[id.slot] }
    _modify { yield &frames[id.slot] }
  }

  /// Whether enough passes are under way that the latest ones come first.
  var isCrowded: Bool { passCount >= Self.manyPasses }

  /// Whether no frame has freed steps or a phase that has ended.
  var isSettled: Bool { freed.isEmpty && ended.isEmpty }

  // MARK: Begin and end

  /// Begins a pass for an item of a step.
  ///
  /// - Parameter attempt: The number of the attempt, from 1.
  mutating func begin(
    _ context: FrameContext, for parent: StepPlace, item: Int, attempt: Int = 1
  ) -> FrameID {
    let id = FrameID(slot: frames.reserve(), number: begunCount)
    begunCount += 1
    passCount += 1
    self[id] = Frame(
      context, id: id, parent: parent, item: item, isInsideCleanUp: self[parent.frame].isCleanUp,
      attempt: attempt)
    return id
  }

  /// Takes out a frame other than the root.
  mutating func remove(_ id: FrameID) -> Frame {
    passCount -= 1
    return frames.take(id.slot)
  }

  /// Whether the frame has not ended.
  func contains(_ id: FrameID) -> Bool { frames[id.slot].id == id }

  // MARK: What is to be done

  /// The steps of a phase begin.
  mutating func enter(_ id: FrameID) {
    if self[id].left == 0 { ended.append(id) }
    let steps = self[id].phaseSteps
    free(id) { $0.begin(steps) }
  }

  /// A step of a frame has ended: frees the steps that follow it.
  mutating func follow(_ place: StepPlace) {
    let block = place.context.block
    let phase =
      place.step < block.mainCount ? 0..<block.mainCount : block.mainCount..<block.steps.count
    free(place.frame) {
      $0.release(block.graph.followers[place.step], of: phase, after: place.step)
    }
    if self[place.frame].left == 0 { ended.append(place.frame) }
  }

  private mutating func free(_ id: FrameID, _ change: (inout FreedSteps) -> Void) {
    let wasEmpty = self[id].freed.isEmpty
    change(&self[id].freed)
    if wasEmpty, !self[id].freed.isEmpty { freed.insert(id) }
  }

  /// The next step that nothing holds up; `nil` if there is none, or its frame has ended.
  mutating func nextFreed() -> StepPlace? {
    guard let id = freed.first else { return nil }
    guard contains(id), let step = self[id].freed.removeFirst() else {
      _ = freed.removeFirst()
      return nil
    }
    if self[id].freed.isEmpty { _ = freed.removeFirst() }
    return self[id].place(of: step)
  }

  /// A frame whose phase has no step left.
  ///
  /// The consequences may have been drawn already. Then `hasEndedPhase` is false.
  mutating func nextEnded() -> FrameID? {
    while let id = ended.popLast() {
      if contains(id) { return id }
    }
    return nil
  }

  /// A frame that was looked at is to be looked at again.
  mutating func returnEnded(_ id: FrameID) { ended.append(id) }

  // MARK: Time

  /// The frame must end in time.
  mutating func setTimed(_ id: FrameID) { timed[id.number] = id }

  /// Whether a pass waits before it begins.
  var hasPausedPass: Bool { timed.values.contains { self[$0].isWaiting } }

  /// The frame of a number that must end in time; `nil` if it has ended, or has all the time.
  func timedFrame(_ number: Int) -> FrameID? { timed[number] }

  /// The time of a frame no longer matters. Returns whether it did.
  mutating func removeTime(of id: FrameID) -> Bool { timed.removeValue(forKey: id.number) != nil }

  // MARK: Around

  /// The frame `levels` blocks further out.
  func outer(_ id: FrameID, by levels: Int) -> FrameID {
    var id = id
    for _ in 0..<max(0, levels) {
      guard let parent = self[id].parent else { return id }
      id = parent.frame
    }
    return id
  }
}
