internal import JSONText

/// The values of steps that nobody has read yet, one after the other in one text.
///
/// They become one document when the first of them is read: thousands of small values that are read
/// at random are then some lines of memory each, and no objects.
struct UnreadValues {
  /// A list without its closing.
  private var text: [UInt8] = []
  private var steps: [Int] = []

  /// How long the text may become, in bytes, but for its last value: what a reader takes elsewhere
  /// keeps the whole document.
  private static let greatest = 1 << 16

  /// Whether it is time to lay the values out, though nobody has read one.
  var isFull: Bool { text.count >= Self.greatest }

  mutating func append(_ values: [UInt8], of step: Int) {
    if steps.isEmpty { text.reserveCapacity(values.count + 2) }
    text.append(UInt8(ascii: steps.isEmpty ? "[" : ","))
    text += values
    steps.append(step)
  }

  /// Lays the values out and forgets them.
  mutating func layOut(_ body: (_ step: Int, JSONNode) -> Void) {
    text.append(UInt8(ascii: "]"))
    for (step, node) in zip(steps, JSONDocument.written(text).root.elements) { body(step, node) }
    text = []
    steps.removeAll(keepingCapacity: true)
  }
}
