/// Every form in which a secret may turn up, as UTF-8: as many as a run has secrets, times fifty.
struct RedactionPatterns: Sendable {
  private var known: Set<[UInt8]> = []
  /// By the first four bytes, the longest first.
  private var byBeginning: [UInt32: [[UInt8]]] = [:]
  /// Whether a pattern begins with a pair of bytes, by that pair: of most texts no more is read.
  private var beginsWithPair = [Bool](repeating: false, count: 1 << 16)

  /// - Parameter pattern: A form of a secret; of fewer than four bytes it is not looked for.
  mutating func insert(_ pattern: [UInt8]) {
    guard let beginning = Self.beginning(at: 0, of: pattern), known.insert(pattern).inserted else {
      return
    }
    beginsWithPair[Self.pair(at: 0, of: pattern)] = true
    let others = byBeginning[beginning] ?? []
    var (lower, upper) = (0, others.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if others[middle].count < pattern.count { upper = middle } else { lower = middle + 1 }
    }
    byBeginning[beginning, default: []].insert(pattern, at: lower)
  }

  /// The longest pattern that stands in a text at `index`.
  func first(at index: Int, of text: [UInt8]) -> [UInt8]? {
    guard index + 4 <= text.count, beginsWithPair[Self.pair(at: index, of: text)],
      let beginning = Self.beginning(at: index, of: text),
      let candidates = byBeginning[beginning]
    else { return nil }
    return candidates.first { text[index...].starts(with: $0) }
  }

  /// How many bytes at the end of a text are the beginning of a pattern; `nil`: fewer than four.
  func beginning(atEndOf text: [UInt8]) -> Int? {
    var longest = 3
    for pattern in known {
      let lengths = stride(from: min(pattern.count - 1, text.count), to: longest, by: -1)
      longest = lengths.first { text.suffix($0).elementsEqual(pattern.prefix($0)) } ?? longest
    }
    return longest > 3 ? longest : nil
  }

  private static func pair(at index: Int, of bytes: [UInt8]) -> Int {
    Int(bytes[index]) << 8 | Int(bytes[index + 1])
  }

  private static func beginning(at index: Int, of bytes: [UInt8]) -> UInt32? {
    guard index + 4 <= bytes.count else { return nil }
    return bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
