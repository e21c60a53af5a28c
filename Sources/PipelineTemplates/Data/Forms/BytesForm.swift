internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText

/// A form whose value is bytes, which it encodes as text unless another form takes them.
protocol BytesForm: DeclaredForm {
  var encoding: DigestEncoding? { get }

  /// - Returns: `nil` if the value is absent.
  func bytes(by writing: DataWriting) throws(DataError) -> [UInt8]?
}

/// How a digest is written.
enum DigestEncoding: String, Sendable, CaseIterable {
  case hex, base64, base64url
  /// Not at all: another form takes the bytes.
  case bytes
}

/// How the text of a key encodes its bytes.
enum KeyEncoding: String, Sendable, CaseIterable {
  /// Its UTF-8.
  case text
  case hex, base64, base64url

  /// The bytes that a text encodes; `nil` if it encodes none.
  func decoded(_ key: [UInt8]) -> [UInt8]? {
    let text = String(decoding: key, as: UTF8.self)
    switch self {
    case .text: return key
    case .hex: return Hexadecimal.decode(text)
    case .base64, .base64url: return Base64.decode(inAnyForm: text)
    }
  }
}

extension BytesForm {
  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let bytes = try bytes(by: writing) else { return .absent }
    switch encoding ?? .hex {
    case .hex: return .text(Hexadecimal.encode(bytes))
    case .base64: return .text(Base64.encode(bytes))
    // Only another form reads it, and takes the bytes instead.
    case .base64url, .bytes: return .text(Base64.encodeForURLs(bytes))
    }
  }
}

extension FormKeys {
  /// Notes that a form takes a key, and warns of one that is written out.
  mutating func noteKey(_ key: FormPart) {
    parser.isKeyed = true
    if case .literal(let node, _) = key.value, node.kind == .string {
      warn("a key in the file is not secret; declare an input with \"secret\": true", at: node)
    }
  }

  mutating func keyEncoding() -> KeyEncoding? {
    choice(
      "keyEncoding", KeyEncoding.self, "How the key is written; as text, if nothing else is said.",
      example: #""base64""#)
  }

  mutating func digestEncoding() -> DigestEncoding? {
    let encoding = choice(
      "encoding", DigestEncoding.self,
      "How the digest is written; hex, if nothing else is said. `bytes` is allowed where `$hash` or"
        + " `$hmac` takes the digest.", example: #""base64""#)
    if encoding == .bytes, !parser.mayBeBytes, let node = option("encoding") {
      problem(
        "\"bytes\" is allowed only where '$hash' or '$hmac' takes them; write \"hex\" or"
          + " \"base64\"", at: node)
    }
    return encoding
  }
}

extension DataWriting {
  /// The bytes of a text, of texts one after the other, of a file, or of a digest.
  func bytes(of part: FormPart) throws(DataError) -> [UInt8]? {
    guard case .array(let items) = part.value else { return try bytes(of: part.value, part) }
    var bytes: [UInt8] = []
    for item in items {
      if let found = try self.bytes(of: item, part) { bytes += found }
    }
    return bytes
  }

  private func bytes(of node: DataTemplate.Node, _ part: FormPart) throws(DataError) -> [UInt8]? {
    if case .form(let form) = node {
      if let digest = form as? any BytesForm, digest.encoding == .bytes {
        return try digest.bytes(by: self)
      }
      if let file = form as? FileForm, file.reading == .json { return try file.bytes(by: self) }
    }
    if case .query(let query, _) = node, !query.isSingular {
      return try joined(query.nodes(in: queries), part)
    }
    guard let found = try value(of: node) else { return nil }
    if found.kind == .array { return try joined(Array(found.elements), part) }
    return Array(try scalar(found, part))
  }

  private func joined(_ nodes: [JSONNode], _ part: FormPart) throws(DataError) -> [UInt8] {
    var bytes: [UInt8] = []
    for node in nodes { bytes += try scalar(node, part) }
    return bytes
  }
}
