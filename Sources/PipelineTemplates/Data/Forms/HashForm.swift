internal import PipelineByteText
internal import PipelineJSONPaths

/// The digest of bytes.
struct HashForm: BytesForm {
  static let title = FormTitle(
    "$hash", "the digest of a text, of a list of texts one after the other, or of a file's bytes",
    example: #"{"$hash": {"of": "{{order.id}}:{{order.total}}", "algorithm": "sha256"}}"#,
    takes: .hashable, synonyms: "checksum")

  private let value: FormPart
  private let algorithm: DigestAlgorithm?
  let encoding: DigestEncoding?

  init?(_ keys: inout FormKeys) {
    value = keys.checkedValue(.bytes)
    algorithm = keys.choice(
      "algorithm", DigestAlgorithm.self, "The algorithm; SHA-256, if nothing else is said.",
      example: #""sha256""#)
    encoding = keys.digestEncoding()
  }

  var parts: [FormPart] { [value] }

  func bytes(by writing: DataWriting) throws(DataError) -> [UInt8]? {
    try writing.bytes(of: value).map { (algorithm ?? .sha256).digest($0) }
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { value.value.textShape(read) }
}
