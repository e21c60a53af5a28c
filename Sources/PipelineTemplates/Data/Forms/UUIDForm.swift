internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText

/// A UUID made of a text (RFC 9562 §5.5): the same each time that a run is resumed.
struct UUIDForm: DeclaredForm {
  static let title = FormTitle(
    "$uuid",
    "a UUID, version 5, made of the run, the step, the item and the text; a resumed run makes the"
      + " same", example: #"{"$uuid": "order"}"#, takes: .inserted,
    synonyms: "uuidv5 idempotencykey")

  private let value: FormPart
  private let namespace: FormPart?

  init?(_ keys: inout FormKeys) {
    value = keys.checkedValue(.literal)
    namespace = keys.text(
      "namespace", "The UUID of a namespace: the result is made of it and the text alone.",
      example: #""6ba7b810-9dad-11d1-80b4-00c04fd430c8""#)
    if let namespace, case .literal(let node, _) = namespace.value, let text = node.string,
      Self.bytes(of: text) == nil
    {
      keys.problem(Self.rule, at: node)
    }
    if namespace == nil { keys.noteReadingOfRun() }
  }

  var parts: [FormPart] { [value] + (namespace.map { [$0] } ?? []) }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let found = try writing.value(of: value.value) else { return .absent }
    let text = Array(try writing.scalar(found, value))
    if let namespace {
      guard let bytes = Self.bytes(of: try writing.option(namespace, "namespace")) else {
        throw namespace.failure(.dataForm, Self.rule)
      }
      return .text(Self.uuid(in: bytes, text))
    }
    guard let run = writing.run else { return .absent }
    return .text(
      Self.uuid(in: Self.ownNamespace, run + Array(writing.source.place.utf8) + [0] + text))
  }

  /// Without a namespace it is made of the run.
  var isFoundAhead: Bool { namespace != nil }

  func checkKnown(
    _ isKnown: (DataTemplate.Node) -> Bool, by writing: DataWriting
  ) throws(DataError) {
    guard isKnown(value.value), let found = try writing.value(of: value.value) else { return }
    _ = try writing.scalar(found, value)
  }

  private static let rule =
    "'namespace' of '$uuid' takes a UUID such as \"6ba7b810-9dad-11d1-80b4-00c04fd430c8\""

  /// Chosen once, at random, for names of this program.
  private static let ownNamespace: [UInt8] = [
    0x5C, 0x1F, 0x0B, 0xA2, 0x97, 0xE4, 0x4D, 0x36, 0xB8, 0x5D, 0x0E, 0x72, 0xC9, 0x41, 0xF3, 0x68,
  ]

  /// The UUID, version 5, of a name in a namespace.
  private static func uuid(in namespace: [UInt8], _ name: [UInt8]) -> String {
    var bytes = Array(DigestAlgorithm.sha1.digest(namespace + name).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    return text(of: bytes)
  }

  /// `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`.
  private static func text(of bytes: [UInt8]) -> String {
    let ends = [0, 4, 6, 8, 10, 16]
    return zip(ends, ends.dropFirst()).map { Hexadecimal.encode(bytes[$0..<$1]) }
      .joined(separator: "-")
  }

  private static func bytes(of text: String) -> [UInt8]? {
    let parts = text.split(ascii: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    return Hexadecimal.decode(parts.joined())
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { value.value.textShape(read) }
}

extension FormKeys {
  /// Notes that a form reads `run.id`, so that it is in the scope.
  mutating func noteReadingOfRun() {
    guard isRead, case .success(let query) = Query.parse("$.run.id") else { return }
    parser.uses.append(
      DataTemplate.Use(
        query: query, range: node.range, isQuery: false, isWhole: false,
        mayBeMissing: parser.mayBeMissing))
  }
}

extension DataWriting {
  /// The run's id, ended by a zero; `nil` if none is known.
  var run: [UInt8]? {
    guard case .scope(let scope) = queries.root, let id = scope.value(named: "run")?["id"]?.string
    else { return nil }
    return Array(id.utf8) + [0]
  }
}
