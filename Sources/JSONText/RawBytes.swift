// The only file of this module with unsafe pointers. Each says why it is there.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The text while the strict parser reads it.
///
/// A pointer, because an array is retained and bounds-checked at each byte, which costs a third of
/// the parser's speed. It lives inside one `withUnsafeBufferPointer`. That no read passes the end is
/// the parser's invariant (see `StrictParser`); debug builds check every read.
struct InputBytes {
  private let base: UnsafePointer<UInt8>
  let count: Int

  init?(_ buffer: UnsafeBufferPointer<UInt8>) {
    guard let base = buffer.baseAddress else { return nil }
    self.base = base
    count = buffer.count
  }

  @inline(__always) subscript(_ index: Int) -> UInt8 {
    assert(index >= 0 && index < count)
    return base[index]
  }

  /// Eight bytes from `index` on, the first in the low bits.
  @inline(__always) func word(at index: Int) -> UInt64 {
    assert(index >= 0 && index + 8 <= count)
    return UInt64(
      littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
  }
}

/// The room that a tape is written into.
///
/// A pointer, because appending to an array checks its uniqueness and capacity at every word. It
/// lives inside `Array.init(unsafeUninitializedCapacity:)`. The parser asks for room before it
/// writes; debug builds check every write.
struct TapeRoom {
  private let base: UnsafeMutablePointer<UInt64>
  let capacity: Int

  init?(_ buffer: UnsafeMutableBufferPointer<UInt64>) {
    guard let base = buffer.baseAddress else { return nil }
    self.base = base
    capacity = buffer.count
  }

  @inline(__always) subscript(_ index: Int) -> UInt64 {
    get {
      assert(index >= 0 && index < capacity)
      return base[index]
    }
    nonmutating set {
      assert(index >= 0 && index < capacity)
      base[index] = newValue
    }
  }

  /// Takes over the words of a room that grew too small.
  func copy(_ words: [UInt64]) {
    precondition(words.count <= capacity)
    words.withUnsafeBufferPointer { source in
      if let start = source.baseAddress { base.update(from: start, count: source.count) }
    }
  }
}

/// Whether `count` bytes of two arrays are the same; bounds are checked once, not at each byte.
@usableFromInline package func bytesEqual(
  _ left: [UInt8], from leftStart: Int, _ right: [UInt8], from rightStart: Int, count: Int
) -> Bool {
  precondition(count >= 0 && leftStart >= 0 && rightStart >= 0)
  precondition(leftStart + count <= left.count && rightStart + count <= right.count)
  return left.withUnsafeBufferPointer { left in
    right.withUnsafeBufferPointer { right in
      guard count > 0, let left = left.baseAddress, let right = right.baseAddress else {
        return true
      }
      return memcmp(left + leftStart, right + rightStart, count) == 0
    }
  }
}
