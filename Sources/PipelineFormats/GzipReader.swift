internal import CPipelineZlib

/// Unpacks gzip (RFC 1952) that arrives in pieces: all members, one after the other.
///
/// Zeros after the last member are passed over, as gzip does.
package struct GzipReader: ~Copyable {
  /// Why bytes cannot be unpacked: a phrase that follows "the body".
  package struct Problem: Error, Hashable {
    package let message: String
  }

  private let stream: OpaquePointer
  private let limit: Int
  private var state = State.member
  private var unpacked = 0

  private enum State {
    /// A member is being unpacked.
    case member
    /// A member has ended. Another one may follow.
    case between
    /// Zeros follow the last member.
    case padding
  }

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
    if let problem = czlib_load() {
      throw Problem(
        message: "is gzip, and zlib cannot be loaded to unpack it: \(String(cString: problem))")
    }
    guard let stream = czlib_open(CZLIB_GZIP) else { throw Self.noMemory }
    self.stream = stream
    self.limit = limit
  }

  deinit { czlib_close(stream) }

  /// Unpacks the next piece.
  package mutating func read(_ piece: [UInt8], into bytes: inout [UInt8]) throws(Problem) {
    var rest = piece[...]
    while !rest.isEmpty {
      switch state {
      case .member: break
      case .padding:
        guard rest.allSatisfy({ $0 == 0 }) else { throw Self.broken }
        return
      case .between:
        guard rest.first != 0 else {
          state = .padding
          continue
        }
        guard czlib_next(stream) == CZLIB_MORE else { throw Self.noMemory }
        state = .member
      }
      try unpack(&rest, into: &bytes)
    }
  }

  /// Refuses a stream that ends within a member.
  package func finish() throws(Problem) {
    if state == .member { throw Problem(message: "is gzip that ends early") }
  }

  private mutating func unpack(
    _ rest: inout ArraySlice<UInt8>, into bytes: inout [UInt8]
  ) throws(Problem) {
    var result = CZLIB_MORE
    var (used, written) = (0, 0)
    repeat {
      let chunk = [UInt8](unsafeUninitializedCapacity: Self.roomSize) { room, count in
        result = rest.withUnsafeBufferPointer { input in
          czlib_unpack(
            stream, input.baseAddress, input.count, room.baseAddress, room.count, &used, &written)
        }
        count = written
      }
      rest = rest.dropFirst(used)
      bytes += chunk
      unpacked += written
      if unpacked > limit {
        throw Problem(message: "is gzip that unpacks to more than the \(limit) bytes allowed")
      }
      if result == CZLIB_BROKEN { throw Self.broken }
      if result == CZLIB_NO_MEMORY { throw Self.noMemory }
    } while result == CZLIB_MORE && (!rest.isEmpty || written == Self.roomSize)
    if result == CZLIB_END { state = .between }
  }

  /// The problem of a body that is unpacked in pieces and grows like a trap.
  package static let tooMuch = Problem(
    message: "is gzip that unpacks to more than 200 times its size")

  private static let roomSize = 1 << 16
  private static let broken = Problem(message: "begins like gzip, but is not")
  private static let noMemory = Problem(message: "is gzip, and there is no memory to unpack it")
}
