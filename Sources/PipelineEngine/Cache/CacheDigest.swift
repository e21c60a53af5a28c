internal import PipelineByteText

/// A digest of a response's key in the cache, made with a secret that stays on the machine.
struct CacheDigest {
  private var hash = SHA256()

  init(key: [UInt8]) {
    hash.update(key)
  }

  /// Adds a text with its length, so that no two lists of texts are the same bytes.
  mutating func add(_ text: String?) {
    guard let text else { return hash.update([0]) }
    hash.update([1])
    withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { hash.update($0) }
    hash.update(text.utf8)
  }

  mutating func add(_ fields: [HeaderField]) {
    add(String(fields.count))
    for field in fields {
      add(field.name.lowercasedASCII)
      add(field.value)
    }
  }

  consuming func finish() -> [UInt8] { hash.finish() }
}
