internal import PipelineByteText

/// Keys of recorded exchanges in order, and where each exchange is, in about 40 bytes for each.
///
/// The steps have numbers. What else is in a key is written one after another into one buffer, so
/// that bytes compare as keys do: each number as its length in bytes, then these, the highest first.
package struct KeyIndex: Sendable {
  private struct Entry {
    var offset: Int
    var length: UInt32
    var step: UInt32
    /// Where the rest of the key is in `bytes`.
    var keyStart: Int
    var keyLength: UInt16
  }

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []
  private var steps: [String] = []
  private var numbers: [ExactText: UInt32] = [:]
  private var isSorted = true

  package init() {}

  package var count: Int { entries.count }

  /// Adds an exchange. Those with the same key are kept in the order of their places.
  package mutating func add(_ key: RecordingKey, at place: Recording.Place) {
    let step = number(of: key.step)
    let start = bytes.count
    Self.append(key, to: &bytes)
    entries.append(
      Entry(
        offset: place.offset, length: UInt32(clamping: place.length), step: step, keyStart: start,
        keyLength: UInt16(clamping: bytes.count - start)))
    isSorted = false
  }

  /// Puts all into the order of their keys, in which they are looked up.
  package mutating func sort() {
    guard !isSorted else { return }
    isSorted = true
    let order = steps.indices.sorted { steps[$0].utf8.lexicographicallyPrecedes(steps[$1].utf8) }
    var ranks = [UInt32](repeating: 0, count: steps.count)
    for (rank, number) in order.enumerated() { ranks[number] = UInt32(rank) }
    steps = order.map { steps[$0] }
    numbers = numbers.mapValues { ranks[Int($0)] }
    for index in entries.indices { entries[index].step = ranks[Int(entries[index].step)] }
    // Most files are sorted.
    let areInOrder = entries.indices.dropFirst().allSatisfy { comesBefore($0 - 1, $0) }
    guard !areInOrder else { return }
    let sorted = (0..<UInt32(entries.count)).sorted { comesBefore(Int($0), Int($1)) }
    entries = sorted.map { entries[Int($0)] }
  }

  /// The exchanges with a key, in the order of their places, once all are sorted.
  package func places(for key: RecordingKey) -> [Recording.Place] {
    guard let step = numbers[ExactText(key.step)] else { return [] }
    var wanted: [UInt8] = []
    Self.append(key, to: &wanted)
    var places: [Recording.Place] = []
    for index in firstIndex(notBefore: step, wanted)..<entries.count {
      guard comparison(entries[index], step, wanted[...]) == 0 else { break }
      places.append(place(at: index))
    }
    return places
  }

  /// The first key of the same step and item, once all are sorted; else the first of the step;
  /// `nil` if the step has none.
  ///
  /// - Complexity: O(log entries).
  package func nearest(to key: RecordingKey) -> RecordingKey? {
    guard let step = numbers[ExactText(key.step)] else { return nil }
    var start: [UInt8] = []
    Self.appendItem(of: key, to: &start)
    let index = firstIndex(notBefore: step, start)
    let isOfItem =
      index < entries.count && entries[index].step == step
      && keyBytes(entries[index]).starts(with: start)
    return self.key(at: isOfItem ? index : firstIndex(notBefore: step, []))
  }

  package func place(at index: Int) -> Recording.Place {
    Recording.Place(offset: entries[index].offset, length: Int(entries[index].length))
  }

  package func key(at index: Int) -> RecordingKey {
    var rest = keyBytes(entries[index])
    var path: [Int] = []
    while let size = rest.popFirst(), size > 0 { path.append(Self.number(size - 1, &rest)) }
    func next() -> Int { rest.popFirst().map { Self.number($0, &rest) } ?? 0 }
    let item = next() &- 1
    return RecordingKey(
      step: steps[Int(entries[index].step)], path: path, item: item == -1 ? nil : item,
      page: next(), poll: next(), attempt: next(), redirect: next())
  }

  // MARK: Bytes

  private mutating func number(of step: String) -> UInt32 {
    let name = ExactText(step)
    if let number = numbers[name] { return number }
    let number = UInt32(steps.count)
    steps.append(step)
    numbers[name] = number
    return number
  }

  private static func append(_ key: RecordingKey, to bytes: inout [UInt8]) {
    appendItem(of: key, to: &bytes)
    for number in [key.page, key.poll, key.attempt, key.redirect] {
      append(number, after: 0, to: &bytes)
    }
  }

  /// The start of the keys of all requests for one item.
  private static func appendItem(of key: RecordingKey, to bytes: inout [UInt8]) {
    for position in key.path { append(position, after: 1, to: &bytes) }
    // Comes before any position, as the shorter path does.
    bytes.append(0)
    append((key.item ?? -1) &+ 1, after: 0, to: &bytes)
  }

  private static func append(_ number: Int, after base: UInt8, to bytes: inout [UInt8]) {
    let value = UInt64(bitPattern: Int64(number))
    let size = (64 - value.leadingZeroBitCount + 7) / 8
    bytes.append(base + UInt8(size))
    for byte in stride(from: size - 1, through: 0, by: -1) {
      bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(byte))))
    }
  }

  private static func number(_ size: UInt8, _ rest: inout ArraySlice<UInt8>) -> Int {
    var value: UInt64 = 0
    for _ in 0..<size { value = value << 8 | UInt64(rest.popFirst() ?? 0) }
    return Int(truncatingIfNeeded: Int64(bitPattern: value))
  }

  private func keyBytes(_ entry: Entry) -> ArraySlice<UInt8> {
    bytes[entry.keyStart..<entry.keyStart + Int(entry.keyLength)]
  }

  /// The index of the first entry that does not come before a key of a step.
  private func firstIndex(notBefore step: UInt32, _ key: [UInt8]) -> Int {
    entries.partitioningIndex { comparison($0, step, key[...]) >= 0 }
  }

  private func comesBefore(_ one: Int, _ other: Int) -> Bool {
    let comparison = comparison(entries[one], entries[other].step, keyBytes(entries[other]))
    return comparison == 0 ? entries[one].offset < entries[other].offset : comparison < 0
  }

  /// Below 0: the entry's key comes first; 0: they are the same.
  private func comparison(_ entry: Entry, _ step: UInt32, _ key: ArraySlice<UInt8>) -> Int {
    if entry.step != step { return entry.step < step ? -1 : 1 }
    let own = keyBytes(entry)
    for (left, right) in zip(own, key) where left != right { return left < right ? -1 : 1 }
    return own.count - key.count
  }
}
