internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineWorkflows

/// The secret values that one unit of work reads or extracts, however short.
///
/// The engine knows that it put them into what it says of the unit: its URLs, hosts, names of files,
/// messages and hints. There they are masked; `Redactor` looks for secrets in all other texts.
struct KnownSecrets: Sendable {
  /// As UTF-8, folded, in each form that decoding leaves them in.
  private var patterns: Set<[UInt8]> = []

  /// A shorter text is masked only if it is alone, because it is a part of many words.
  private static let shortestInWords = 3
  /// Fewer bytes before `…` are not taken for the beginning of a secret.
  private static let shortestBeginning = 4

  init() {}

  /// The values that a step reads in a scope.
  ///
  /// - Parameter ranges: Where the step reads a secret; `nil`: nowhere.
  init(_ step: Step, at ranges: Set<Range<Int>>?, in scope: Scope) {
    guard let ranges, !ranges.isEmpty else { return }
    let context = scope.queryContext()
    for use in step.iterationUses + step.uses where ranges.contains(use.range) {
      for node in use.query.nodes(in: context) { add(node) }
    }
  }

  var isEmpty: Bool { patterns.isEmpty }

  /// Adds each text and number in a value.
  mutating func add(_ node: JSONNode) {
    switch node.kind {
    case .string: add(node.string ?? "")
    case .number: add(node.text)
    case .array: for element in node.elements { add(element) }
    case .object: for member in node.members { add(member.value) }
    case .boolean, .null: break
    }
  }

  mutating func add(_ text: String) {
    guard !text.isEmpty else { return }
    DecodedText.forEachLayer(of: Array(text.utf8)) { layer in
      if !layer.bytes.isEmpty { patterns.insert(layer.bytes.map(\.folded)) }
    }
  }

  /// `text` with `•••` in place of each of them, also of a beginning that was cut off with `…`.
  func masked(_ text: String) -> String {
    guard !patterns.isEmpty else { return text }
    let bytes = Array(text.utf8)
    let places = places(in: bytes)
    return places.isEmpty ? text : String(decoding: places.masked(bytes), as: UTF8.self)
  }

  /// Where they are in a text.
  ///
  /// - Complexity: O(bytes × secrets). A unit reads few.
  func places(in bytes: [UInt8]) -> MaskedPlaces {
    var places = MaskedPlaces()
    guard !patterns.isEmpty else { return places }
    DecodedText.forEachLayer(of: bytes) { layer in
      for pattern in patterns {
        Self.search(layer.bytes, for: pattern) { places.add(layer.origin(of: $0)) }
      }
    }
    return places
  }

  /// Knuth, Morris and Pratt's search, which also knows how much of the pattern a cut has left.
  private static func search(
    _ text: [UInt8], for pattern: [UInt8], _ body: (Range<Int>) -> Void
  ) {
    let borders = borders(of: pattern)
    var matched = 0
    for index in text.indices {
      let byte = text[index].folded
      if byte == ellipsis[0], matched >= shortestBeginning, text[index...].starts(with: ellipsis) {
        body(index - matched..<index)
      }
      while matched > 0, pattern[matched] != byte { matched = borders[matched - 1] }
      if pattern[matched] == byte { matched += 1 }
      guard matched == pattern.count else { continue }
      let place = index + 1 - matched..<index + 1
      if pattern.count >= shortestInWords || standsAlone(place, in: text) { body(place) }
      matched = borders[matched - 1]
    }
  }

  private static let ellipsis = Array("…".utf8)

  /// For each beginning of the pattern, how much of its end is a beginning of the pattern, too.
  private static func borders(of pattern: [UInt8]) -> [Int] {
    var borders = [Int](repeating: 0, count: pattern.count)
    var length = 0
    for index in 1..<max(1, pattern.count) {
      while length > 0, pattern[length] != pattern[index] { length = borders[length - 1] }
      if pattern[length] == pattern[index] { length += 1 }
      borders[index] = length
    }
    return borders
  }

  private static func standsAlone(_ place: Range<Int>, in text: [UInt8]) -> Bool {
    let before = place.lowerBound > 0 ? text[place.lowerBound - 1] : 0
    let after = place.upperBound < text.count ? text[place.upperBound] : 0
    return !isLetterOrDigit(before) && !isLetterOrDigit(after)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
  }
}

extension FailureReason {
  /// The failure as it may be shown: none of its texts has a secret in it.
  func hiding(_ secrets: KnownSecrets, _ redactor: Redactor) -> FailureReason {
    guard !secrets.isEmpty || redactor.isActive else { return self }
    return mapTexts { redactor.redactingBeginnings(in: secrets.masked($0)) }
  }
}
