/// An I-Regexp as an automaton: instructions that name their successors.
struct RegexpProgram: Sendable {
  enum Instruction: Sendable {
    /// Consumes one scalar of `sets[_]`, then continues with the next instruction.
    case scalars(Int)
    /// Goes on with both, rather with the first.
    case split(Int, Int)
    case jump(Int)
    /// Goes on with the next instruction at the start of the text.
    case textStart
    /// Goes on with the next instruction at the end of the text.
    case textEnd
    case groupStart
    case groupEnd
    case match
  }

  /// The largest program. A pattern that needs more is refused. Matching takes at most this many
  /// steps for each scalar of the text.
  static let instructionLimit = 10_000

  private(set) var instructions: [Instruction] = []
  private(set) var sets: [ScalarSet] = []

  init(_ syntax: RegexpSyntax, patternLength: Int) throws(IRegexpError) {
    do {
      try emit(syntax)
      try append(.match)
    } catch {
      throw IRegexpError(
        "the pattern repeats too much: written out it has more than \(Self.instructionLimit) parts; "
          + "use '*' or '+', or smaller numbers in '{…}'", 0..<patternLength)
    }
  }

  private struct TooLarge: Error {}

  private mutating func append(_ instruction: Instruction) throws(TooLarge) {
    guard instructions.count < Self.instructionLimit else { throw TooLarge() }
    instructions.append(instruction)
  }

  // Recursion is bounded: the parser bounds the nesting of groups.
  private mutating func emit(_ syntax: RegexpSyntax) throws(TooLarge) {
    switch syntax {
    case .empty: break
    case .scalars(let set):
      if sets.last != set { sets.append(set) }
      try append(.scalars(sets.count - 1))
    case .textStart: try append(.textStart)
    case .textEnd: try append(.textEnd)
    case .sequence(let parts):
      for part in parts { try emit(part) }
    case .group(let inner, let number):
      if number == 1 { try append(.groupStart) }
      try emit(inner)
      if number == 1 { try append(.groupEnd) }
    case .choice(let branches): try emit(choice: branches)
    case .repetition(let inner, let least, let most):
      try emit(inner, least: least, most: most)
    }
  }

  private mutating func emit(choice branches: [RegexpSyntax]) throws(TooLarge) {
    var jumps: [Int] = []
    for (number, branch) in branches.enumerated() {
      guard number < branches.count - 1 else {
        try emit(branch)
        break
      }
      let split = instructions.count
      try append(.split(split + 1, 0))
      try emit(branch)
      jumps.append(instructions.count)
      try append(.jump(0))
      instructions[split] = .split(split + 1, instructions.count)
    }
    for jump in jumps { instructions[jump] = .jump(instructions.count) }
  }

  private mutating func emit(
    _ inner: RegexpSyntax, least: Int, most: Int?
  ) throws(TooLarge) {
    // An empty match repeated is still empty. Without this, numbers in '{…}' around nothing would
    // cost time and no instructions.
    if case .empty = inner { return }
    for _ in 0..<least {
      let start = instructions.count
      try emit(inner)
      if instructions.count == start { return }
    }
    guard let most else {
      let split = instructions.count
      try append(.split(split + 1, 0))
      try emit(inner)
      try append(.jump(split))
      instructions[split] = .split(split + 1, instructions.count)
      return
    }
    var splits: [Int] = []
    for _ in 0..<max(0, most - least) {
      let split = instructions.count
      splits.append(split)
      try append(.split(split + 1, 0))
      try emit(inner)
    }
    for split in splits { instructions[split] = .split(split + 1, instructions.count) }
  }
}
