internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText

/// The keyed digest of bytes, RFC 2104.
struct HMACForm: BytesForm {
  static let title = FormTitle(
    "$hmac", "the keyed digest (RFC 2104) of what `$hash` takes",
    example: #"{"$hmac": {"of": "{{order.id}}", "key": "{{inputs.secret}}"}}"#, takes: .hashable,
    functions: "hmac hmacsha256 hmacsha1 hmacsha512", synonyms: "sign signature")

  private let value: FormPart
  private let key: FormPart
  private let keyEncoding: KeyEncoding?
  private let algorithm: DigestAlgorithm?
  let encoding: DigestEncoding?

  init?(_ keys: inout FormKeys) {
    value = keys.checkedValue(.bytes)
    let key = keys.text(
      "key", "The key.", example: #""{{inputs.secret}}""#, isRequired: true, .bytes)
    keyEncoding = keys.choice(
      "keyEncoding", KeyEncoding.self, "How the key is written; as text, if nothing else is said.",
      example: #""base64""#)
    algorithm = keys.choice(
      "algorithm", DigestAlgorithm.self, "The algorithm; SHA-256, if nothing else is said.",
      example: #""sha256""#)
    encoding = keys.digestEncoding()
    guard let key else { return nil }
    if case .literal(let node, _) = key.value, node.kind == .string {
      keys.warn(
        "a key in the file is not secret; declare an input with \"secret\": true", at: node)
    }
    self.key = key
  }

  var parts: [FormPart] { [value, key] }

  func bytes(by writing: DataWriting) throws(DataError) -> [UInt8]? {
    guard let message = try writing.bytes(of: value) else { return nil }
    guard let key = try writing.bytes(of: key) else {
      throw key.failure(.absent, "'key' of '$hmac' is absent")
    }
    guard let key = decoded(key) else {
      throw self.key.failure(
        .dataForm, "'key' of '$hmac' is not \(keyEncoding?.rawValue ?? "")")
    }
    return (algorithm ?? .sha256).hmac(message, key: key)
  }

  private func decoded(_ key: [UInt8]) -> [UInt8]? {
    let text = String(decoding: key, as: UTF8.self)
    switch keyEncoding ?? .text {
    case .text: return key
    case .hex: return Hexadecimal.decode(text)
    case .base64, .base64url: return Base64.decode(inAnyForm: text)
    }
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { value.value.textShape(read) }
}
