internal import PipelineJSONText
internal import Synchronization

/// Hides secrets in the output of a run: each of its texts goes through here before it is shown.
package final class Redactor: Sendable {
  /// The replacement of a secret.
  package static let mask = "•••"

  private let index = Mutex(SecretIndex())
  private let hasSecrets = Atomic<Bool>(false)
  /// The names of secrets in recordings; `nil` if nothing is recorded or replayed.
  package let names: SecretNames?

  package init() { names = nil }

  package init(names: SecretNames?) { self.names = names }

  /// Begins to hide `secret`, however it is escaped and encoded.
  ///
  /// Texts of fewer than 6 bytes are not searched for, because they occur in others by chance. The
  /// engine still masks one that it puts into a text itself.
  ///
  /// - Complexity: O(bytes), however many secrets there are.
  package func hide(_ secret: String) { hide(secret, as: "auth") }

  /// - Parameter name: Its name in recordings, if no other was given before.
  package func hide(_ secret: String, as name: @autoclosure () -> String) {
    names?.add(secret, as: name())
    let bytes = Array(secret.utf8)
    guard bytes.count >= SecretIndex.shortest else { return }
    index.withLock { $0.insert(bytes) }
    hasSecrets.store(true, ordering: .releasing)
  }

  /// Hides each text and number in a value.
  ///
  /// - Parameter name: Its name in recordings.
  package func hide(_ node: JSONNode, as name: @autoclosure () -> String = "auth") {
    switch node.kind {
    case .string: if let text = node.string { hide(text, as: name()) }
    case .number: hide(node.text, as: name())
    case .array:
      for (position, element) in node.elements.enumerated() {
        hide(element, as: "\(name())[\(position)]")
      }
    case .object:
      for member in node.members { hide(member.value, as: "\(name()).\(member.name)") }
    case .boolean, .null: break
    }
  }

  /// How many forms of secrets are hidden. It grows when another secret becomes known.
  package var count: Int { index.withLock { $0.count } }

  /// Whether there is anything to hide.
  package var isActive: Bool { hasSecrets.load(ordering: .acquiring) }

  /// `text` with `•••` in place of each secret.
  ///
  /// - Complexity: O(bytes), however many secrets there are.
  package func redact(_ text: String) -> String {
    guard isActive else { return text }
    let bytes = Array(text.utf8)
    let places = places(in: bytes)
    return places.isEmpty ? text : String(decoding: places.masked(bytes), as: UTF8.self)
  }

  /// `text` with `•••` in place of each secret, and of the beginning of one that `…` cuts off.
  ///
  /// - Complexity: O(bytes), however often the text was cut.
  func redactingBeginnings(in text: String) -> String {
    guard isActive else { return text }
    let bytes = Array(text.utf8)
    var places = places(in: bytes)
    var start = 0
    for index in bytes.indices
    where bytes[index] == Self.ellipsis[0] && bytes[index...].starts(with: Self.ellipsis) {
      places.add(self.places(in: Array(bytes[start..<index]), isCut: true), shiftedBy: start)
      start = index + Self.ellipsis.count
    }
    return places.isEmpty ? text : String(decoding: places.masked(bytes), as: UTF8.self)
  }

  private static let ellipsis = Array("…".utf8)

  /// A text for a message. Its secrets are masked before it is cut to `count` characters.
  func shown(_ text: String, to count: Int) -> String {
    guard isActive else { return text.shortened(to: count) }
    let bytes = Array(text.utf8.prefix(Self.searched))
    let isCut = text.utf8.count > bytes.count
    let masked = places(in: bytes, isCut: isCut).masked(bytes)
    return (String(decoding: masked, as: UTF8.self) + (isCut ? "…" : "")).shortened(to: count)
  }

  /// How much of a text is searched if little of it is shown, in bytes.
  private static let searched = 8 << 10

  /// Where secrets are in a text.
  ///
  /// - Parameter isCut: Whether the text continues elsewhere. Then the beginning of a secret at its
  ///   end is taken for one.
  package func places(in bytes: [UInt8], isCut: Bool = false) -> MaskedPlaces {
    guard isActive, bytes.count >= SecretIndex.shortest else { return MaskedPlaces() }
    var places = MaskedPlaces()
    index.withLock { $0.search(bytes, isCut: isCut) { places.add($0) } }
    return places
  }
}

extension SecretIndex {
  /// Calls `body` with the place of each secret in `text`, including those that appear after
  /// decoding.
  fileprivate func search(_ text: [UInt8], isCut: Bool, _ body: (Range<Int>) -> Void) {
    var plain = DecodedText(text)
    DecodedText.forEachLayer(of: text) { layer in
      search(layer, isCut, body)
      plain = layer
    }
    guard mayHoldBase64(plain.bytes) else { return }
    for alignment in 0..<4 {
      let runs = Base64Runs(of: plain.bytes, alignment: alignment)
      guard !runs.bytes.isEmpty else { return }
      func report(_ range: Range<Int>) { body(plain.origin(of: runs.origin(of: range))) }
      forEachMatch(in: runs.bytes, isCut: isCut) { report($0) }
      for piece in runs.escapedTexts {
        DecodedText.forEachLayer(of: Array(runs.bytes[piece])) { layer in
          search(layer, isCut) { report($0.shifted(by: piece.lowerBound)) }
        }
      }
    }
  }

  private func search(_ layer: DecodedText, _ isCut: Bool, _ body: (Range<Int>) -> Void) {
    forEachMatch(in: layer.bytes, isCut: isCut) { body(layer.origin(of: $0)) }
    numerals.forEachMatch(in: layer.bytes) { body(layer.origin(of: $0)) }
  }
}

extension Range<Int> {
  fileprivate func shifted(by offset: Int) -> Range<Int> {
    lowerBound + offset..<upperBound + offset
  }
}
