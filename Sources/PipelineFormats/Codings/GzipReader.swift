/// Unpacks gzip (RFC 1952) that arrives in pieces, and says what is wrong with it.
package struct GzipReader: ~Copyable {
  /// Why bytes cannot be unpacked: a phrase that follows "the body".
  package struct Problem: Error, Hashable {
    package let message: String
  }

  private let decoder: ContentCoding.Decoder
  private let limit: Int
  private var unpacked = 0

  /// The bytes that each member begins with.
  package static let magicNumber: [UInt8] = [0x1F, 0x8B]

  /// The unpacked bytes of a body that begins with gzip's magic number; `nil` if it does not.
  ///
  /// - Parameter limit: The greatest number of unpacked bytes.
  package static func unpack(_ bytes: [UInt8], limit: Int) throws(Problem) -> [UInt8]? {
    guard bytes.starts(with: magicNumber) else { return nil }
    var reader = try GzipReader(limit: limit)
    var unpacked: [UInt8] = []
    try reader.read(bytes, into: &unpacked)
    try reader.finish()
    return unpacked
  }

  /// - Parameter limit: The greatest number of unpacked bytes.
  package init(limit: Int) throws(Problem) {
    if let problem = ContentCoding.gzip.problem {
      throw Problem(message: "is gzip, and zlib cannot be loaded to unpack it: \(problem)")
    }
    decoder = ContentCoding.Decoder(.gzip)
    self.limit = limit
  }

  /// Unpacks the next piece.
  package mutating func read(_ piece: [UInt8], into bytes: inout [UInt8]) throws(Problem) {
    let room = limit - unpacked
    var count = 0
    let result = piece.withUnsafeBytes { piece in
      decoder.unpack(piece) { part in
        bytes += part
        count += part.count
        return count <= room
      }
    }
    unpacked += count
    switch result {
    case .goesOn: break
    case .broken: throw Problem(message: "begins like gzip, but is not")
    case .noMemory: throw Problem(message: "is gzip, and there is no memory to unpack it")
    case .stopped:
      throw Problem(message: "is gzip that unpacks to more than the \(limit) bytes allowed")
    }
  }

  /// Refuses a stream that ends within a member.
  package func finish() throws(Problem) {
    if !decoder.isWhole { throw Problem(message: "is gzip that ends early") }
  }

  /// The problem of a body that is unpacked in pieces and grows like a trap.
  package static let tooMuch = Problem(
    message: "is gzip that unpacks to more than 200 times its size")
}
