/// Follows all states of a program at once over a text.
struct RegexpMatcher {
  /// Where the leftmost match and its first group lie, in bytes.
  struct Capture: Equatable {
    var match: Range<Int>
    var group: Range<Int>?
  }

  /// Instructions visited so far: never more than the program's size for each scalar and one more.
  private(set) var steps = 0
  private let program: RegexpProgram
  private let isCapturing: Bool
  private var current: Threads
  private var next: Threads
  private var pending: [(instruction: Int, marks: Marks)] = []
  /// The thread that reached the program's end at this place.
  private var ended: Marks?

  init(_ program: RegexpProgram, capturing: Bool) {
    self.program = program
    self.isCapturing = capturing
    self.current = Threads(capacity: program.instructions.count)
    self.next = Threads(capacity: program.instructions.count)
  }

  /// Byte offsets a thread remembers; -1 is none.
  private struct Marks {
    var start = -1
    var groupStart = -1
    var groupEnd = -1
  }

  /// The instructions that wait for the next scalar, in order of preference, each once.
  private struct Threads {
    private(set) var instructions: [Int] = []
    private(set) var marks: [Marks] = []
    /// The round in which an instruction was last visited: cheaper than clearing a set.
    private var visited: [Int]
    private var round = 1

    init(capacity: Int) { visited = Array(repeating: 0, count: capacity) }

    mutating func visit(_ instruction: Int) -> Bool {
      if visited[instruction] == round { return false }
      visited[instruction] = round
      return true
    }

    mutating func append(_ instruction: Int, _ mark: Marks, capturing: Bool) {
      instructions.append(instruction)
      if capturing { marks.append(mark) }
    }

    mutating func clear() {
      instructions.removeAll(keepingCapacity: true)
      marks.removeAll(keepingCapacity: true)
      round += 1
    }
  }

  mutating func matchesWhole(_ text: some Sequence<UInt8>) -> Bool {
    var scalars = ScalarReader(text.makeIterator())
    add(0, Marks(), before: scalars)
    while let scalar = scalars.next() {
      if current.instructions.isEmpty { return false }
      ended = nil
      advance(scalar, before: scalars)
    }
    return ended != nil
  }

  mutating func search(_ text: some Sequence<UInt8>) -> Bool {
    var scalars = ScalarReader(text.makeIterator())
    add(0, Marks(), before: scalars)
    while ended == nil, let scalar = scalars.next() {
      advance(scalar, before: scalars)
      add(0, Marks(), before: scalars)
    }
    return ended != nil
  }

  mutating func firstMatch(_ text: some Sequence<UInt8>) -> Capture? {
    var scalars = ScalarReader(text.makeIterator())
    var best: Marks?
    var end = 0
    add(0, Marks(start: 0), before: scalars)
    while true {
      if let ended {
        best = ended
        end = scalars.offset
        self.ended = nil
      }
      if best != nil && current.instructions.isEmpty { break }
      guard let scalar = scalars.next() else { break }
      advance(scalar, before: scalars)
      // A match further left outranks any that begins here.
      if best == nil && ended == nil { add(0, Marks(start: scalars.offset), before: scalars) }
    }
    guard let best else { return nil }
    let group = best.groupEnd >= 0 ? best.groupStart..<best.groupEnd : nil
    return Capture(match: best.start..<end, group: group)
  }

  // MARK: - Steps

  /// Moves every thread that takes the scalar; what they reach waits in `current`.
  private mutating func advance(
    _ scalar: UInt32, before rest: ScalarReader<some IteratorProtocol<UInt8>>
  ) {
    swap(&current, &next)
    current.clear()
    for index in next.instructions.indices {
      steps += 1
      let instruction = next.instructions[index]
      guard case .scalars(let set) = program.instructions[instruction],
        program.sets[set].contains(scalar)
      else { continue }
      add(instruction + 1, isCapturing ? next.marks[index] : Marks(), before: rest)
      // Which threads a match outranks matters only to captures.
      if isCapturing && ended != nil { break }
    }
  }

  /// Follows what consumes nothing from an instruction, until the program's end is reached.
  private mutating func add(
    _ instruction: Int, _ marks: Marks, before rest: ScalarReader<some IteratorProtocol<UInt8>>
  ) {
    pending.append((instruction, marks))
    while let (instruction, marks) = pending.popLast() {
      guard current.visit(instruction) else { continue }
      steps += 1
      var marks = marks
      switch program.instructions[instruction] {
      case .scalars: current.append(instruction, marks, capturing: isCapturing)
      case .jump(let target): pending.append((target, marks))
      case .split(let first, let second):
        pending.append((second, marks))
        pending.append((first, marks))
      case .textStart:
        if rest.offset == 0 { pending.append((instruction + 1, marks)) }
      case .textEnd:
        if rest.isAtEnd { pending.append((instruction + 1, marks)) }
      case .groupStart:
        marks.groupStart = rest.offset
        marks.groupEnd = -1
        pending.append((instruction + 1, marks))
      case .groupEnd:
        marks.groupEnd = rest.offset
        pending.append((instruction + 1, marks))
      case .match:
        ended = marks
        if isCapturing { pending.removeAll(keepingCapacity: true) }
      }
    }
  }
}

/// Unicode scalars of UTF-8 bytes, one ahead. An ill-formed byte counts as U+FFFD.
private struct ScalarReader<Bytes: IteratorProtocol> where Bytes.Element == UInt8 {
  private var bytes: Bytes
  private var held: UInt8?
  private var upcoming: UInt32?
  private var upcomingLength = 0
  /// Bytes before the upcoming scalar.
  private(set) var offset = 0

  init(_ bytes: Bytes) {
    self.bytes = bytes
    read()
  }

  var isAtEnd: Bool { upcoming == nil }

  mutating func next() -> UInt32? {
    defer {
      offset += upcomingLength
      read()
    }
    return upcoming
  }

  private mutating func byte() -> UInt8? {
    defer { held = nil }
    return held ?? bytes.next()
  }

  private mutating func read() {
    upcoming = nil
    upcomingLength = 0
    guard let first = byte() else { return }
    upcoming = 0xFFFD
    upcomingLength = 1
    if first < 0x80 {
      upcoming = UInt32(first)
      return
    }
    let count = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0
    guard count > 0 else { return }
    var value = UInt32(first) & (0x3F >> UInt32(count))
    for _ in 0..<count {
      guard let following = byte() else { return }
      guard following & 0xC0 == 0x80 else {
        held = following
        return
      }
      upcomingLength += 1
      value = value << 6 | UInt32(following & 0x3F)
    }
    upcoming = value
  }
}
