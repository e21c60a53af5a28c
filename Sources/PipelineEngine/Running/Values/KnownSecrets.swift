internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage

/// The secret values that one unit of work reads or extracts, however short.
///
/// The engine puts them into what it reports of the unit: its URLs, hosts, names of files, messages
/// and hints. There they are masked. A short one is masked only where the engine has put it, because
/// its bytes are in other texts by chance. `Redactor` looks for secrets in all other texts.
struct KnownSecrets: Sendable {
  /// As UTF-8, folded, in each form that decoding leaves them in.
  private var patterns: Set<[UInt8]> = []
  /// The secrets that are too short to be searched for in a message, unencoded.
  private var shorts: Set<[UInt8]> = []
  /// Where the step has put them; `nil` if it has none.
  private var puts: SecretPlaces?

  /// A shorter text is masked only if it is alone, because it is a part of many words.
  private static let shortestInWords = 3
  /// Fewer bytes before `…` are not taken for the beginning of a secret.
  private static let shortestBeginning = 4

  init() {}

  /// The values that a step reads in a scope.
  ///
  /// - Parameter ranges: Where the step reads a secret; `nil` if nowhere.
  init(_ step: Step, at ranges: Set<Range<Int>>?, in scope: Scope) {
    guard let ranges, !ranges.isEmpty else { return }
    let context = scope.queryContext()
    for use in step.iterationUses + step.uses where ranges.contains(use.range) {
      for node in use.query.nodes(in: context) { add(node) }
    }
    if !shorts.isEmpty { puts = SecretPlaces(step, at: ranges, in: scope) }
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
    if text.utf8.count < SecretIndex.shortest { shorts.insert(Array(text.utf8)) }
    DecodedText.forEachLayer(of: Array(text.utf8)) { layer in
      if !layer.bytes.isEmpty { patterns.insert(layer.bytes.map(\.folded)) }
    }
  }

  /// A message of the engine with `•••` in place of each of them, also of a beginning that was cut
  /// off with `…`. A short one is masked where the step has put it, and alone between quotes.
  func masked(_ message: String) -> String {
    guard !patterns.isEmpty else { return message }
    var text = maskingLong(in: message)
    if let puts { text = puts.masked(text) }
    for value in shorts {
      text = text.replacing(value, with: Redactor.mask) { $0.isQuote && $1.isQuote }
    }
    return text
  }

  /// A URL of one of the step's requests with `•••` in place of each of them.
  func masked(url: String) -> String {
    guard !patterns.isEmpty else { return url }
    return maskingLong(in: puts?.masked(url: url) ?? url)
  }

  /// A text from outside, in which only those are searched for that are long enough.
  func maskingLong(in text: String) -> String {
    guard !patterns.isEmpty else { return text }
    let bytes = Array(text.utf8)
    let places = places(in: bytes, from: SecretIndex.shortest)
    return places.isEmpty ? text : String(decoding: places.masked(bytes), as: UTF8.self)
  }

  /// A value with `•••` in place of each of them, however short.
  func maskedAnywhere(_ value: String) -> String {
    let bytes = Array(value.utf8)
    let places = places(in: bytes)
    return places.isEmpty ? value : String(decoding: places.masked(bytes), as: UTF8.self)
  }

  /// Where the short ones are alone between quotes.
  func quotedPlaces(in bytes: [UInt8]) -> MaskedPlaces {
    var places = MaskedPlaces()
    for value in shorts {
      for index in bytes.indices.dropFirst()
      where bytes[index] == value[0] && bytes[index - 1].isQuote
        && bytes[index...].starts(with: value)
      {
        let end = index + value.count
        if end < bytes.count, bytes[end].isQuote { places.add(index..<end) }
      }
    }
    return places
  }

  /// Where they are in a text.
  ///
  /// - Parameters:
  ///   - length: The fewest bytes of those that are looked for.
  ///   - limit: More bytes than those that are looked for have.
  /// - Complexity: O(bytes × secrets). A unit reads few.
  func places(in bytes: [UInt8], from length: Int = 1, below limit: Int = .max) -> MaskedPlaces {
    var places = MaskedPlaces()
    let patterns = patterns.filter { $0.count >= length && $0.count < limit }
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
    return mapTexts { text, origin in
      let masked =
        switch origin {
        case .engine: secrets.masked(text)
        case .url: secrets.masked(url: text)
        case .outside: secrets.maskingLong(in: text)
        }
      return redactor.redactingBeginnings(in: masked)
    }
  }
}
