internal import CPipelineCodings
internal import CPipelineZlib

extension ContentCoding {
  /// Undoes a coding piece by piece, and knows whether its end has come. libcurl 7.88 does not.
  package final class Decoder {
    package let coding: ContentCoding
    private var stream: Stream?
    private var state = State.begins
    private let room: UnsafeMutableBufferPointer<UInt8>

    private enum Stream {
      case zlib(OpaquePointer)
      case other(OpaquePointer)
    }

    private enum State {
      case begins
      case within
      /// All that has come is whole. Another member or frame may follow.
      case whole
      /// Zeros follow the last member of gzip.
      case padding
    }

    package enum Result {
      case goesOn
      /// The bytes are not of the coding.
      case broken
      case noMemory
      /// The taker wants no more.
      case stopped
    }

    private static let roomSize = 64 << 10

    package init(_ coding: ContentCoding) {
      self.coding = coding
      room = .allocate(capacity: Self.roomSize)
    }

    deinit {
      room.deallocate()
      switch stream {
      case .zlib(let stream): czlib_close(stream)
      case .other(let stream): ccodings_close(stream)
      case nil: break
      }
    }

    /// Whether the body may end here. One without bytes is whole: it is what servers send that name
    /// a coding for all they send.
    package var isWhole: Bool { state != .within }

    /// Undoes the coding of the next piece.
    ///
    /// - Parameter take: Takes an unpacked piece; `false` if it wants no more.
    package func unpack(
      _ piece: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool
    ) -> Result {
      var rest = piece
      while let first = rest.first {
        switch state {
        case .begins:
          guard open(first) else { return .noMemory }
          state = .within
        case .within: break
        case .whole:
          guard coding == .gzip || coding == .zstd else { return .broken }
          if coding == .gzip, first == 0 {
            state = .padding
            continue
          }
          if case .zlib(let stream) = stream, czlib_next(stream) != CZLIB_MORE { return .noMemory }
          state = .within
        case .padding: return rest.allSatisfy { $0 == 0 } ? .goesOn : .broken
        }
        let result = unpackMember(&rest, take)
        guard result == .goesOn else { return result }
      }
      return .goesOn
    }

    private func unpackMember(
      _ rest: inout UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool
    ) -> Result {
      while true {
        var (used, written) = (0, 0)
        let input = rest.bindMemory(to: UInt8.self)
        let isEnd: Bool
        switch stream {
        case .zlib(let stream):
          let result = czlib_unpack(
            stream, input.baseAddress, input.count, room.baseAddress, room.count, &used, &written)
          if result == CZLIB_BROKEN { return .broken }
          if result == CZLIB_NO_MEMORY { return .noMemory }
          isEnd = result == CZLIB_END
        case .other(let stream):
          let result = ccodings_unpack(
            stream, input.baseAddress, input.count, room.baseAddress, room.count, &used, &written)
          if result == CCODINGS_BROKEN { return .broken }
          isEnd = result == CCODINGS_END
        case nil: return .noMemory
        }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(used))
        let unpacked = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<written])
        if written > 0, !take(unpacked) { return .stopped }
        if isEnd {
          state = .whole
          return .goesOn
        }
        guard used > 0 || written > 0 else { return rest.isEmpty ? .goesOn : .broken }
        // What does not fill the room leaves nothing behind in the library.
        if rest.isEmpty, written < room.count { return .goesOn }
      }
    }

    /// `deflate` is zlib's format by RFC 9110 §8.4.1.2, but some servers leave its header out. It
    /// ends in 8, which a raw stream never begins with.
    private func open(_ first: UInt8) -> Bool {
      switch coding {
      case .gzip: stream = czlib_open(CZLIB_GZIP).map(Stream.zlib)
      case .deflate:
        stream = czlib_open(first & 0x0F == 8 ? CZLIB_ZLIB : CZLIB_DEFLATE).map(Stream.zlib)
      case .brotli: stream = ccodings_open(CCODINGS_BROTLI).map(Stream.other)
      case .zstd: stream = ccodings_open(CCODINGS_ZSTD).map(Stream.other)
      }
      return stream != nil
    }
  }
}
