/// The chunked transfer coding (RFC 9112 §7.1), read in pieces. Extensions and trailers are passed
/// over.
struct ChunkDecoder {
  typealias Refusal = RequestParser.Refusal

  private enum Stage {
    case size
    case data(remaining: Int)
    case dataEnd
    case trailer
  }

  private(set) var body: [UInt8] = []
  private var stage = Stage.size

  /// Reads from `start` on and moves it past the consumed bytes. True once the last chunk is read.
  mutating func consume(
    _ buffer: [UInt8], from start: inout Int, limit: Int
  ) throws(Refusal) -> Bool {
    while true {
      switch stage {
      case .size:
        guard let line = try line(in: buffer, from: &start) else { return false }
        let size = try Self.size(line)
        guard size <= limit - body.count else {
          throw Refusal(status: 413, message: "the body is larger than \(limit) bytes")
        }
        stage = size == 0 ? .trailer : .data(remaining: size)
      case .data(let remaining):
        let count = min(remaining, buffer.count - start)
        body.append(contentsOf: buffer[start..<start + count])
        start += count
        stage = count == remaining ? .dataEnd : .data(remaining: remaining - count)
        if count < remaining { return false }
      case .dataEnd:
        guard let line = try line(in: buffer, from: &start) else { return false }
        guard line.isEmpty else { throw Self.bad("a chunk is longer than its size says") }
        stage = .size
      case .trailer:
        guard let line = try line(in: buffer, from: &start) else { return false }
        if line.isEmpty { return true }
      }
    }
  }

  private func line(
    in buffer: [UInt8], from start: inout Int
  ) throws(Refusal) -> ArraySlice<UInt8>? {
    guard let feed = buffer[start...].firstIndex(of: .lineFeed) else {
      guard buffer.count - start <= 4096 else { throw Self.bad("a chunk line is too long") }
      return nil
    }
    guard feed > start, buffer[feed - 1] == .carriageReturn else {
      throw Self.bad("a chunk line ends without CR LF")
    }
    defer { start = feed + 1 }
    return buffer[start..<(feed - 1)]
  }

  private static func size(_ line: ArraySlice<UInt8>) throws(Refusal) -> Int {
    let digits = line.prefix { $0.hexDigit != nil }
    let rest = line[digits.endIndex...].first
    guard (1...15).contains(digits.count),
      rest == nil || rest == UInt8(ascii: ";") || rest == 0x20 || rest == 0x09
    else { throw bad("a chunk size is not a hex number") }
    return digits.reduce(0) { $0 << 4 | Int($1.hexDigit ?? 0) }
  }

  private static func bad(_ message: String) -> Refusal { Refusal(status: 400, message: message) }
}
