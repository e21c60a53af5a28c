internal import PipelineByteText
internal import Synchronization

/// The names of a run's secrets in recordings: `{{secret:login.token}}`.
///
/// It holds the secrets themselves, and only in runs that are recorded or replayed.
package final class SecretNames: Sendable {
  private struct State {
    var names: [ExactText: String] = [:]
    /// By the bytes that the redactor compares.
    var foldedNames: [[UInt8]: String] = [:]
    /// By name.
    var shapes: [String: String] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Gives a secret its name. The first one is kept.
  package func add(_ secret: String, as name: String) {
    guard !secret.isEmpty else { return }
    state.withLock { state in
      guard state.names[ExactText(secret)] == nil else { return }
      state.names[ExactText(secret)] = name
      state.shapes[name] = SecretShape(of: secret).text
      DecodedText.forEachLayer(of: Array(secret.utf8)) { layer in
        let folded = layer.bytes.map(\.folded)
        if state.foldedNames[folded] == nil { state.foldedNames[folded] = name }
      }
    }
  }

  /// The name of a secret as it is in a text, however it is escaped there.
  package func name(of text: ArraySlice<UInt8>) -> String {
    let exact = ExactText(String(decoding: text, as: UTF8.self))
    return state.withLock { state in
      if let name = state.names[exact] { return name }
      var found: String?
      DecodedText.forEachLayer(of: Array(text)) { layer in
        found = found ?? state.foldedNames[layer.bytes.map(\.folded)]
      }
      return found ?? Self.nameless
    }
  }

  /// The part of a secret that is encoded together with other text.
  private static let nameless = "encoded"
  /// A secret that is too short to be searched for, where the engine has put it.
  package static let short = "short"

  /// Where a text stands, which decides where base64 in it ends.
  package enum TextKind {
    case plain, url
  }

  /// A text with names in the places of secrets.
  ///
  /// If base64 holds a secret among other text, all of it is named: its length and its other
  /// characters depend on the secret.
  ///
  /// - Parameter use: Receives each name.
  package func named(
    _ text: [UInt8], _ places: MaskedPlaces, _ kind: TextKind = .plain, _ use: (String) -> Void
  ) -> [UInt8] {
    guard !places.isEmpty else { return text }
    let whole = places.extended { place in
      guard name(of: text[place]) == Self.nameless else { return place }
      return Self.base64(around: place, in: text, kind)
    }
    return whole.replaced(in: text) { secret in
      let name = name(of: secret)
      use(name)
      return SecretPlaceholder.text(name)
    }
  }

  private static func base64(
    around place: Range<Int>, in text: [UInt8], _ kind: TextKind
  ) -> Range<Int> {
    func isInside(_ byte: UInt8) -> Bool {
      ASCIISet.letters.contains(byte) || ASCIISet.digits.contains(byte)
        || "+-_%".utf8.contains(byte) || kind == .plain && byte == UInt8(ascii: "/")
    }
    var (start, end) = (place.lowerBound, place.upperBound)
    while start > 0, isInside(text[start - 1]) { start -= 1 }
    while end < text.count, isInside(text[end]) || text[end] == UInt8(ascii: "=") { end += 1 }
    return start..<end
  }

  package func shape(of name: String) -> String? { state.withLock { $0.shapes[name] } }
}

/// How long a secret is, and which kinds of characters it has where: not one of the characters.
package struct SecretShape: Sendable {
  /// `a` for a small letter, `A` for a capital, `0` for a digit. Other ASCII characters stay.
  package let text: String

  private static let limit = 4096
  /// The shape of a secret that is not recorded.
  package static let usual = "aaaaaaaa0000aaaa0000"

  package init(text: String) { self.text = text }

  package init(of secret: String) {
    let bytes = secret.utf8.prefix(Self.limit)
    // Only what separates is kept: `-` of a UUID, `.` of a JWT.
    let shape = bytes.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt8(ascii: "a")
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(ascii: "A")
      case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "0")
      case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "="): byte
      default: UInt8(ascii: "a")
      }
    }
    text = String(decoding: shape, as: UTF8.self)
  }

  /// The replacement of the secret of a name in a replay: always the same, with this shape.
  package func standIn(for name: String) -> String {
    var state = SHA256()
    state.update(name.utf8)
    let seed = state.finish()
    var letters = 0
    var position = 0
    let bytes = text.utf8.map { byte -> UInt8 in
      let random = Int(seed[position % seed.count]) + 7 * position
      defer { position += 1 }
      switch byte {
      case UInt8(ascii: "a"), UInt8(ascii: "A"):
        defer { letters += 1 }
        let letter =
          letters < Self.mark.count ? Self.mark[letters] : UInt8(ascii: "a") + UInt8(random % 26)
        return byte == UInt8(ascii: "A") ? letter & ~0x20 : letter
      // A number does not begin with 0.
      case UInt8(ascii: "0"): return UInt8(ascii: "1") + UInt8(random % 9)
      default: return byte
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a text is a stand-in of at least that many letters.
  package static func isStandIn(_ text: String) -> Bool {
    let letters = text.utf8.lazy.map { $0 | 0x20 }.filter { $0 &- 0x61 < 26 }
    return letters.starts(with: mark)
  }

  /// The beginning of each stand-in's letters, if there are as many.
  private static let mark = Array("standin".utf8)
}

/// The texts by which recordings hold secrets.
package enum SecretPlaceholder {
  private static let start = Array("{{secret:".utf8)

  package static func text(_ name: String) -> [UInt8] {
    start + name.utf8 + "}}".utf8
  }

  /// Whether a text holds one.
  package static func isIn(_ text: String) -> Bool { text.contains(bytes: "{{secret:") }

  /// A text with a stand-in in place of each.
  package static func filled(_ bytes: [UInt8], shape: (String) -> String?) -> [UInt8] {
    guard bytes.contains(start[0]) else { return bytes }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == start[0], bytes[index...].starts(with: start),
        let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")), end + 1 < bytes.count,
        bytes[end + 1] == UInt8(ascii: "}")
      else {
        result.append(bytes[index])
        index += 1
        continue
      }
      let name = String(decoding: bytes[(index + start.count)..<end], as: UTF8.self)
      let shape = SecretShape(text: shape(name) ?? SecretShape.usual)
      result += shape.standIn(for: name).utf8
      index = end + 2
    }
    return result
  }
}
