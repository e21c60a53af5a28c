internal import PipelineByteText

/// Replacements of texts, all made in one pass.
struct TextReplacements: Sendable {
  private typealias Replacement = (bytes: [UInt8], replacement: String)

  private let texts: [Replacement]
  /// The texts by their first bytes, as many as the shortest text has. The longest text comes first.
  private var byStart: [UInt64: [Int]] = [:]
  private var startLength = 8
  /// The pairs of bytes with which a text begins, so that most places need no look-up.
  private var pairs = [Bool](repeating: false, count: 1 << 16)

  /// - Parameter texts: The texts and their replacements. Empty texts are ignored.
  init(_ texts: some Sequence<(text: String, replacement: String)>) {
    self.texts = Self.sorted(texts)
    startLength = min(startLength, self.texts.last?.bytes.count ?? startLength)
    for (number, (bytes, _)) in self.texts.enumerated() {
      bytes.withUnsafeBufferPointer { bytes in
        byStart[start(bytes, 0), default: []].append(number)
        if startLength > 1 { pairs[Self.pair(bytes, 0)] = true }
      }
    }
  }

  private static func sorted(
    _ texts: some Sequence<(text: String, replacement: String)>
  ) -> [Replacement] {
    texts.filter { !$0.text.isEmpty }.map { (Array($0.text.utf8), $0.replacement) }
      .sorted { $0.bytes.count > $1.bytes.count }
  }

  private static func pair(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
    Int(bytes[place]) << 8 | Int(bytes[place + 1])
  }

  private func start(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> UInt64 {
    (0..<startLength).reduce(0) { $0 << 8 | UInt64(bytes[place + $1]) }
  }

  /// The first place from `place` on at which one of the texts or of `others` is: the longest of the
  /// texts there, or else the first of the others.
  private func next(
    in bytes: UnsafeBufferPointer<UInt8>, from place: Int, _ others: [Replacement]
  ) -> (range: Range<Int>, replacement: String)? {
    for place in place..<max(place, bytes.count) {
      if place + startLength <= bytes.count, startLength == 1 || pairs[Self.pair(bytes, place)] {
        for number in byStart[start(bytes, place)] ?? [] {
          let found = texts[number]
          if let range = Self.range(of: found.bytes, in: bytes, at: place) {
            return (range, found.replacement)
          }
        }
      }
      for other in others {
        if let range = Self.range(of: other.bytes, in: bytes, at: place) {
          return (range, other.replacement)
        }
      }
    }
    return nil
  }

  private static func range(
    of text: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> Range<Int>? {
    guard text.count <= bytes.count - place,
      text.indices.allSatisfy({ text[$0] == bytes[place + $0] })
    else { return nil }
    return place..<place + text.count
  }

  /// The text with each text that stands for another replaced by that one.
  ///
  /// - Parameter others: Further texts, and what stands for them.
  /// - Complexity: Linear in the length of the text, for each of the others.
  func replaced(in text: String, and others: [(text: String, replacement: String)] = []) -> String {
    guard !texts.isEmpty || !others.isEmpty else { return text }
    let others = Self.sorted(others)
    var text = text
    return text.withUTF8 { bytes -> [UInt8]? in
      guard var found = next(in: bytes, from: 0, others) else { return nil }
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var taken = 0
      while true {
        result += bytes[taken..<found.range.lowerBound]
        result += found.replacement.utf8
        taken = found.range.upperBound
        guard let further = next(in: bytes, from: taken, others) else { break }
        found = further
      }
      return result + bytes[taken...]
    }.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// Whether one of the texts is in `text`.
  func occur(in text: String) -> Bool {
    guard !texts.isEmpty else { return false }
    var text = text
    return text.withUTF8 { next(in: $0, from: 0, []) != nil }
  }
}
