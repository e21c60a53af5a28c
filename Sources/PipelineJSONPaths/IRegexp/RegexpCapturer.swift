/// Finds a program's leftmost match and its first group: follows all states at once, each with the
/// places it passed, in order of preference.
struct RegexpCapturer {
  /// Where the leftmost match and its first group lie, in bytes.
  struct Capture: Equatable {
    var match: Range<Int>
    var group: Range<Int>?
  }

  /// Instructions visited so far: never more than the program's size for each scalar and one more.
  private(set) var steps = 0
  private let program: RegexpProgram
  private var current: Threads
  private var next: Threads
  private var pending: [(instruction: Int, marks: Marks)] = []
  /// The thread that reached the program's end at this place.
  private var ended: Marks?

  init(_ program: RegexpProgram) {
    self.program = program
    self.current = Threads(capacity: program.instructions.count)
    self.next = Threads(capacity: program.instructions.count)
  }

  /// Byte offsets that a thread remembers; -1: none.
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

    mutating func append(_ instruction: Int, _ mark: Marks) {
      instructions.append(instruction)
      marks.append(mark)
    }

    mutating func clear() {
      instructions.removeAll(keepingCapacity: true)
      marks.removeAll(keepingCapacity: true)
      round += 1
    }
  }

  /// - Parameter start: The bytes that precede the match at least.
  mutating func firstMatch(_ text: ArraySlice<UInt8>, from start: Int = 0) -> Capture? {
    var scalars = ScalarReader(text, from: start)
    var best: Marks?
    var end = 0
    // What an earlier search left.
    current.clear()
    ended = nil
    add(0, Marks(start: start), before: scalars)
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

  /// Moves every thread that takes the scalar. The states that they reach wait in `current`.
  private mutating func advance(
    _ scalar: UInt32, before rest: ScalarReader
  ) {
    swap(&current, &next)
    current.clear()
    for index in next.instructions.indices {
      steps += 1
      let instruction = next.instructions[index]
      guard case .scalars(let set) = program.instructions[instruction],
        program.sets[set].contains(scalar)
      else { continue }
      add(instruction + 1, next.marks[index], before: rest)
      // Threads that an ended thread outranks are dropped.
      if ended != nil { break }
    }
  }

  /// Follows what consumes nothing from an instruction, until the program's end is reached.
  private mutating func add(
    _ instruction: Int, _ marks: Marks, before rest: ScalarReader
  ) {
    pending.append((instruction, marks))
    while let (instruction, marks) = pending.popLast() {
      guard current.visit(instruction) else { continue }
      steps += 1
      var marks = marks
      switch program.instructions[instruction] {
      case .scalars: current.append(instruction, marks)
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
        pending.removeAll(keepingCapacity: true)
      }
    }
  }
}
