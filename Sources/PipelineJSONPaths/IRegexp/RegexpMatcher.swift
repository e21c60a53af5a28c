/// Tells whether a program matches a text, for one text after another.
///
/// All states of the program are followed at once. The result of each ASCII character on a set of
/// states is remembered: the automaton becomes deterministic as texts need it. The memory is
/// bounded, and emptied when it is full, so each character costs at most the program's size.
struct RegexpMatcher {
  /// The part of the text that has to match.
  enum Extent: Sendable, Hashable {
    case whole
    case part
  }

  /// The maximum number of sets of states that are remembered.
  static let setLimit = 256

  /// Instructions visited and transitions looked up so far.
  private(set) var steps = 0
  private let program: RegexpProgram
  private let extent: Extent
  private var sets: [StateSet] = []
  private var numbers: [StateSet: Int] = [:]
  /// For each set and ASCII character the number of the set it leads to; `unknown` until asked.
  private var transitions: [Int32] = []
  private var closure: Closure

  private static let unknown: Int32 = -1

  init(_ program: RegexpProgram, _ extent: Extent) {
    self.program = program
    self.extent = extent
    closure = Closure(capacity: program.instructions.count)
    remember(start())
  }

  /// Whether the program matches the text, or a part of it.
  ///
  /// - Complexity: the text's length times at most the program's size.
  mutating func matches(_ text: ArraySlice<UInt8>) -> Bool {
    var current = 0
    var position = text.startIndex
    while position < text.endIndex {
      if extent == .part {
        if sets[current].accepts { return true }
      } else if sets[current].states.isEmpty {
        return false
      }
      steps += 1
      if position & 0xFFF == 0xFFF, Interruption.endsLongWork { return false }
      let byte = text[position]
      if byte < 0x80 {
        position += 1
        let known = transitions[current << 7 | Int(byte)]
        current = known != Self.unknown ? Int(known) : advance(current, onASCII: byte)
      } else {
        let scalar = ScalarReader.scalar(in: text, at: &position)
        current = remember(successor(of: current, on: scalar))
      }
    }
    return sets[current].accepts || sets[current].acceptsAtEnd
  }

  // MARK: - Sets of states

  /// The instructions that wait for the next scalar, and whether the program's end was reached.
  private struct StateSet: Hashable {
    var states: [Int] = []
    /// The end is reached here.
    var accepts = false
    /// The end is reached here if the text ends.
    var acceptsAtEnd = false
  }

  private mutating func advance(_ set: Int, onASCII byte: UInt8) -> Int {
    let count = sets.count
    let next = remember(successor(of: set, on: UInt32(byte)))
    // Where all was forgotten, the number of the set is no longer its own.
    if sets.count >= count { transitions[set << 7 | Int(byte)] = Int32(next) }
    return next
  }

  @discardableResult
  private mutating func remember(_ set: StateSet) -> Int {
    if let number = numbers[set] { return number }
    if sets.count >= Self.setLimit {
      sets.removeAll(keepingCapacity: true)
      numbers.removeAll(keepingCapacity: true)
      transitions.removeAll(keepingCapacity: true)
      remember(start())
      return remember(set)
    }
    let number = sets.count
    numbers[set] = number
    sets.append(set)
    transitions.append(contentsOf: repeatElement(Self.unknown, count: 128))
    return number
  }

  private mutating func start() -> StateSet {
    closure.begin()
    closure.add(0, of: program, isAtStart: true, steps: &steps)
    return closure.set
  }

  private mutating func successor(of number: Int, on scalar: UInt32) -> StateSet {
    closure.begin()
    for state in sets[number].states {
      steps += 1
      guard case .scalars(let set) = program.instructions[state], program.sets[set].contains(scalar)
      else { continue }
      closure.add(state + 1, of: program, isAtStart: false, steps: &steps)
    }
    if extent == .part { closure.add(0, of: program, isAtStart: false, steps: &steps) }
    return closure.set
  }

  /// The instructions reached without consuming anything.
  private struct Closure {
    private var reached = StateSet()
    private var pending: [(instruction: Int, isAtEnd: Bool)] = []
    /// The round in which an instruction was last visited, on the way through a `$` and without.
    private var visited: [Int]
    private var visitedAtEnd: [Int]
    private var round = 0

    init(capacity: Int) {
      visited = Array(repeating: 0, count: capacity)
      visitedAtEnd = visited
    }

    mutating func begin() {
      reached = StateSet()
      round += 1
    }

    /// The instructions reached since `begin`, in one order whatever the way.
    var set: StateSet {
      var set = reached
      set.states.sort()
      return set
    }

    mutating func add(
      _ instruction: Int, of program: RegexpProgram, isAtStart: Bool, steps: inout Int
    ) {
      pending.append((instruction, false))
      while let (instruction, isAtEnd) = pending.popLast() {
        guard visited[instruction] != round,
          !isAtEnd || visitedAtEnd[instruction] != round
        else { continue }
        if isAtEnd { visitedAtEnd[instruction] = round } else { visited[instruction] = round }
        steps += 1
        switch program.instructions[instruction] {
        case .scalars:
          // After a `$` nothing can be consumed.
          if !isAtEnd { reached.states.append(instruction) }
        case .jump(let target): pending.append((target, isAtEnd))
        case .split(let first, let second):
          pending.append((second, isAtEnd))
          pending.append((first, isAtEnd))
        case .textStart:
          if isAtStart { pending.append((instruction + 1, isAtEnd)) }
        case .textEnd: pending.append((instruction + 1, true))
        case .groupStart, .groupEnd: pending.append((instruction + 1, isAtEnd))
        case .match:
          if isAtEnd { reached.acceptsAtEnd = true } else { reached.accepts = true }
        }
      }
    }
  }
}
