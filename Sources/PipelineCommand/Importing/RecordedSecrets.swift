internal import PipelineByteText
internal import PipelineImports
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineRecordings

/// What looks like a credential in a recording that is imported.
struct RecordedSecrets {
  /// Values that requests take from responses. They stay, because requests must follow them; the
  /// recorder hides those that are secret.
  private let kept: Set<String>
  private var values: Set<String> = []

  /// Shorter ones cannot be told from other text.
  private static let shortest = 6

  init(keeping values: some Sequence<String>) { kept = Set(values) }

  /// Notes the credentials of a request and its response.
  mutating func note(_ expected: TrafficReplay.Expected, in replay: TrafficReplay) {
    for field in expected.headers where CredentialNames.isHeader(field.name) {
      // The scheme before a credential is not a secret.
      values.formUnion(field.value.split(ascii: " ").dropFirst().map { String($0) })
    }
    values.formUnion(expected.cookies.map(\.value))
    if let response = replay.response(to: expected),
      let document = try? JSONDocument.parse(response.body)
    {
      _ = hiding(JSONValue(document.root), named: "") { values.insert($0) }
    }
    for (_, value) in replay.inputs {
      if case .string(let text) = value { values.insert(text) }
    }
  }

  /// A response without the credentials in its JSON.
  func hiding(_ response: RecordedExchange.Response) -> RecordedExchange.Response {
    guard let document = try? JSONDocument.parse(response.body) else { return response }
    var isChanged = false
    let value = hiding(JSONValue(document.root), named: "") { _ in isChanged = true }
    guard isChanged else { return response }
    var changed = response
    changed.body = Array(value.node.utf8)
    return changed
  }

  /// A search for them in a text that comes in pieces.
  func search() -> Search {
    Search(values.filter { $0.utf8.count >= Self.shortest }.map { Array($0.utf8) })
  }

  /// Finds a text even if a piece ends in the middle of it.
  struct Search {
    private let values: [[UInt8]]
    private let longest: Int
    /// The end of what was read, in which a text may have begun.
    private var tail: [UInt8] = []
    private(set) var hasFound = false

    init(_ values: [[UInt8]]) {
      self.values = values
      longest = values.map(\.count).max() ?? 0
    }

    mutating func read(_ piece: [UInt8]) {
      guard !hasFound, !values.isEmpty else { return }
      let text = tail + piece
      hasFound = values.contains { text.contains(subsequence: $0) }
      tail = text.suffix(longest - 1)
    }
  }

  private func hiding(
    _ value: JSONValue, named name: String, _ found: (String) -> Void
  ) -> JSONValue {
    switch value {
    case .object(let members):
      return .object(
        members.map { .init($0.name, hiding($0.value, named: $0.name, found)) })
    case .array(let elements):
      return .array(elements.map { hiding($0, named: name, found) })
    case .string(let text):
      guard
        !text.isEmpty, CredentialNames.isField(name) || CredentialNames.isShape(Array(text.utf8))
      else { return value }
      found(text)
      return kept.contains { text.contains(bytes: $0) } ? value : .string(Self.shape(of: text))
    default: return value
    }
  }

  /// A text of the same kinds of characters.
  private static func shape(of text: String) -> String {
    let bytes = text.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(ascii: "X")
      case 0x80...: UInt8(ascii: "x")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt8(ascii: "x")
      default: byte
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
