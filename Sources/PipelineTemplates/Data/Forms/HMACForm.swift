internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText

/// The keyed digest of bytes, RFC 2104.
struct HMACForm: BytesForm {
  static let title = FormTitle(
    "$hmac", "the keyed digest (RFC 2104) of what `$hash` takes",
    example: #"{"$hmac": {"of": "{{order.id}}", "key": "{{inputs.secret}}"}}"#, takes: .hashable,
    synonyms: "sign signature")

  private let value: FormPart
  private let key: FormPart
  private let keyEncoding: KeyEncoding?
  private let algorithm: DigestAlgorithm?
  let encoding: DigestEncoding?

  init?(_ keys: inout FormKeys) {
    value = keys.checkedValue(.bytes)
    let key = keys.text(
      "key", "The key.", example: #""{{inputs.secret}}""#, isRequired: true, .bytes)
    keyEncoding = keys.keyEncoding()
    algorithm = keys.choice(
      "algorithm", DigestAlgorithm.self, "The algorithm; SHA-256, if nothing else is said.",
      example: #""sha256""#)
    encoding = keys.digestEncoding()
    guard let key else { return nil }
    keys.noteKey(key)
    self.key = key
  }

  var parts: [FormPart] { [value, key] }

  func bytes(by writing: DataWriting) throws(DataError) -> [UInt8]? {
    guard let message = try writing.bytes(of: value) else { return nil }
    return (algorithm ?? .sha256).hmac(message, key: try keyBytes(by: writing))
  }

  private func keyBytes(by writing: DataWriting) throws(DataError) -> [UInt8] {
    guard let key = try writing.bytes(of: key) else {
      throw key.failure(.absent, "'key' of '$hmac' is absent")
    }
    let encoding = keyEncoding ?? .text
    guard let bytes = encoding.decoded(key) else {
      throw self.key.failure(.dataForm, "'key' of '$hmac' is not \(encoding.rawValue)")
    }
    return bytes
  }

  func checkKnown(
    _ isKnown: (DataTemplate.Node) -> Bool, by writing: DataWriting
  ) throws(DataError) {
    if isKnown(key.value) { _ = try keyBytes(by: writing) }
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { value.value.textShape(read) }
}
