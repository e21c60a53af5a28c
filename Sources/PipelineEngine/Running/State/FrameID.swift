/// A frame of a `FrameTable`. Frames are ordered as they began.
struct FrameID: Hashable, Comparable, Sendable {
  /// The frame's place in the table. Another frame may be there when this one has ended.
  let slot: Int
  /// How many frames began before this one.
  let number: Int

  /// The pass through the run's own steps.
  static let root = FrameID(slot: 0, number: 0)

  static func == (left: FrameID, right: FrameID) -> Bool { left.number == right.number }

  static func < (left: FrameID, right: FrameID) -> Bool { left.number < right.number }
}
