import Testing

@testable import PipelineByteText

/// The operations on texts do what the same operations on arrays of bytes do.
struct ByteTextTests {
  /// Scalars that join, replace or equal others where Swift compares characters.
  static let hostile = [
    "\u{301}", "\u{338}", "\u{200D}", "\u{FE0F}", "\u{FF9F}", "\u{20DD}", "\u{1F3FB}", "\u{212A}",
    "\u{37E}", "\u{1FEF}", "\u{FF0F}", "\u{E9}", "e\u{301}", "K", ";", "/", "=", "a", "\r", "\n",
  ]

  /// All texts of up to three of them.
  static let texts: [String] = {
    let pairs = hostile.flatMap { first in hostile.map { first + $0 } }
    return [""] + hostile + pairs
      + pairs.flatMap { pair in ["/", "a", "\u{301}"].map { pair + $0 } }
  }()

  private func bytes(_ text: some StringProtocol) -> [UInt8] { Array(text.utf8) }

  @Test func prefixSuffixAndEqualityAreThoseOfBytes() {
    for text in Self.texts {
      for part in Self.hostile {
        let (all, some) = (bytes(text), bytes(part))
        #expect(text.hasPrefix(bytes: part) == all.starts(with: some))
        #expect(text.hasSuffix(bytes: part) == all.reversed().starts(with: some.reversed()))
        #expect(text.equals(bytes: part) == (all == some))
        #expect((ExactText(text) == ExactText(part)) == (all == some))
        let holds = all.indices.contains { all[$0...].starts(with: some) }
        #expect(text.contains(bytes: part) == holds)
        let changed = text.replacing(bytes: part, with: "_")
        #expect(holds != changed.equals(bytes: text))
      }
    }
  }

  @Test(arguments: ["/", ";", "=", "K"] as [Unicode.Scalar])
  func cutsAreThoseOfBytes(separator: Unicode.Scalar) {
    let byte = UInt8(ascii: separator)
    for text in Self.texts {
      let all = bytes(text)
      let parts = text.split(ascii: separator, omittingEmptySubsequences: false).map(bytes)
      #expect(
        parts == all.split(separator: byte, omittingEmptySubsequences: false).map { Array($0) })
      #expect(
        text.firstIndex(ascii: separator)?.utf16Offset(in: text) != nil || !all.contains(byte))
      #expect(bytes(text.prefix(before: separator)) == Array(all.prefix { $0 != byte }))
      if let index = text.lastIndex(ascii: separator) {
        #expect(bytes(text[..<index]).count == all.lastIndex(of: byte))
      }
    }
  }

  @Test func onlyBlanksOfASCIIAreTrimmedAndOnlyItsLettersLowered() {
    for text in Self.texts {
      #expect((" \t" + text + "\t ").trimmed.equals(bytes: text))
      #expect(text.lowercasedASCII.utf8.count == text.utf8.count)
    }
    #expect("\u{212A}K".lowercasedASCII.equals(bytes: "\u{212A}k"))
    #expect(!"K".equalsIgnoringASCIICase("\u{212A}"))
  }

  @Test func whatFollowsAPrefixKeepsItsMark() {
    #expect("now:\u{301}x".dropFirst(bytes: 4).equals(bytes: "\u{301}x"))
    #expect("x\u{301};".dropLast(bytes: 1).equals(bytes: "x\u{301}"))
    #expect("ab".dropFirst(bytes: 9).isEmpty)
  }
}
