internal import PipelineByteText

/// The globs of a URL: `{a,b}`, `[1-3]`, `[a-z:2]`. curl makes several URLs with them.
struct CurlGlob {
  typealias Word = ShellWords.Word

  private static let limit = 1000

  /// What comes one after another in the URL: each piece has one text or several.
  private var pieces: [[Word]] = []

  init(_ url: Word) {
    for part in url.parts {
      guard case .text(let text) = part else {
        pieces.append([Word(parts: [part])])
        continue
      }
      read(text)
    }
  }

  private mutating func read(_ text: String) {
    var plain = ""
    var rest = text[...]
    while let first = rest.unicodeScalars.first {
      let found: (texts: [String], rest: Substring)? =
        switch first {
        case "{": Self.set(rest)
        case "[": Self.range(rest)
        default: nil
        }
      if let found {
        pieces.append([Word(parts: [.text(plain)])])
        pieces.append(found.texts.map { Word(parts: [.text($0)]) })
        plain = ""
        rest = found.rest
      } else {
        if first == "\\", let next = rest.unicodeScalars.dropFirst().first,
          "{}[]".contains(Character(next))
        {
          rest = rest.dropFirst(bytes: 1)
          plain.unicodeScalars.append(next)
        } else {
          plain.unicodeScalars.append(first)
        }
        rest = Substring(rest.unicodeScalars.dropFirst())
      }
    }
    pieces.append([Word(parts: [.text(plain)])])
  }

  /// `{a,b}`; `nil` if it is none, such as a placeholder `{{x}}` of another tool.
  private static func set(_ text: Substring) -> (texts: [String], rest: Substring)? {
    guard let end = text.firstIndex(ascii: "}") else { return nil }
    let inside = text[..<end].dropFirst(bytes: 1)
    guard inside.contains(bytes: ","), inside.firstIndex(ascii: "{") == nil else { return nil }
    let texts = inside.split(ascii: ",", omittingEmptySubsequences: false).map(String.init)
    return (texts, text[end...].dropFirst(bytes: 1))
  }

  /// `[1-3]`, `[001-100:10]` or `[a-z]`; `nil` if it is none, such as an IPv6 address.
  private static func range(_ text: Substring) -> (texts: [String], rest: Substring)? {
    guard let end = text.firstIndex(ascii: "]") else { return nil }
    let inside = text[..<end].dropFirst(bytes: 1)
    let bounds = inside.prefix(before: ":").split(ascii: "-", omittingEmptySubsequences: false)
    let colon = inside.firstIndex(ascii: ":")
    let step = colon.map { Int(inside[$0...].dropFirst(bytes: 1)) ?? 0 } ?? 1
    guard bounds.count == 2, step > 0 else { return nil }
    let rest = text[end...].dropFirst(bytes: 1)
    if let least = Int(bounds[0]), let most = Int(bounds[1]), least >= 0, most >= least {
      guard (most - least) / step < limit else {
        // One more than is allowed, which is refused.
        return (Array(repeating: "", count: limit + 1), rest)
      }
      let isPadded = bounds[0].hasPrefix(bytes: "0") && bounds[0].utf8.count > 1
      let texts = stride(from: least, through: most, by: step).map { number in
        let digits = String(number)
        let missing = isPadded ? max(0, bounds[0].utf8.count - digits.utf8.count) : 0
        return String(repeating: "0", count: missing) + digits
      }
      return (texts, rest)
    }
    guard bounds[0].utf8.count == 1, bounds[1].utf8.count == 1, let least = bounds[0].utf8.first,
      let most = bounds[1].utf8.first, least <= most, isLetter(least), isLetter(most)
    else { return nil }
    let texts = stride(from: Int(least), through: Int(most), by: step).map {
      String(Unicode.Scalar(UInt8($0)))
    }
    return (texts, rest)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { ASCIISet.letters.contains(byte) }

  /// Whether curl sends several requests.
  var isSeveral: Bool { pieces.contains { $0.count > 1 } }

  /// The URLs in the order of their requests: the last glob changes with each.
  func addresses() throws(ShellWords.Problem) -> [Word] {
    var addresses = [Word()]
    for texts in pieces {
      guard addresses.count * texts.count <= Self.limit else {
        throw ShellWords.Problem(
          message: "the URL stands for more than \(Self.limit) requests; write 'forEach' in a"
            + " workflow of one of them")
      }
      addresses = addresses.flatMap { address in
        texts.map { Word(parts: address.parts + $0.parts) }
      }
    }
    return addresses.map(\.merged)
  }
}
