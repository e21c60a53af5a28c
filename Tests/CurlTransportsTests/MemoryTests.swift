import CPipelineCurl
import Foundation
import PipelineTestSupport
import Synchronization
import Testing

/// The memory that libcurl is given: `ccurl_memory.h`.
@Suite struct MemoryTests {
  private static let isKept = ccurl_keeps_memory() == 1
  private static let mostKept = Int(CCURL_MOST_KEPT)

  /// As `malloc` and `realloc`: what a block holds stays as it was, however the blocks of several
  /// threads come and go, and whichever thread frees them.
  @Test func blocksKeepWhatIsWrittenToThem() {
    let results = Self.onThreads(4) { Self.exercise(seed: UInt64($0)) }
    var damaged = 0
    for result in results {
      damaged += result.damaged
      // On another thread than the one that allocated them.
      for block in result.left where !block.free() { damaged += 1 }
    }
    #expect(damaged == 0)
  }

  @Test func aZeroedBlockIsZeroAlthoughItWasUsed() {
    for count in [1, 16, 100, 128, 129, 5_000, 65_537, 1 << 17, 1 << 20] {
      let used = ccurl_allocate(count)
      used?.initializeMemory(as: UInt8.self, repeating: 0xFF, count: count)
      ccurl_free(used)
      let zeroed = ccurl_allocate_zeroed(1, count)
      let bytes = UnsafeRawBufferPointer(start: zeroed, count: count)
      #expect(bytes.allSatisfy { $0 == 0 }, "\(count) bytes")
      ccurl_free(zeroed)
    }
  }

  @Test func aTextIsCopied() {
    let copy = ccurl_copy_text("localhost")
    #expect(copy.map { String(cString: $0) } == "localhost")
    ccurl_free(copy)
    ccurl_free(nil)
  }

  /// Of less than 128 bytes `malloc` may give as many as the next size has.
  @Test(
    .enabled(if: isKept, "not with this C library, or with a sanitizer"),
    arguments: [128, 129, 160, 161, 4_000, 65_537, 1 << 17])
  func aFreedBlockIsTheNextOfItsSize(_ count: Int) {
    let found = Self.onThreads(1) { _ in
      let first = ccurl_allocate(count)
      ccurl_free(first)
      let kept = ccurl_kept_bytes()
      let second = ccurl_allocate(count)
      defer { ccurl_free(second) }
      return (isSame: first == second, kept: kept, left: ccurl_kept_bytes())
    }[0]
    #expect(found.isSame)
    #expect(found.kept >= count && found.kept <= count + count / 4)
    #expect(found.left == 0)
  }

  @Test(.enabled(if: isKept, "not with this C library, or with a sanitizer"))
  func aThreadKeepsNoMoreThanItMay() {
    let count = 65_537
    let found = Self.onThreads(1) { _ in
      let blocks = (0..<2 * Self.mostKept / count).map { _ in ccurl_allocate(count) }
      let before = ccurl_kept_bytes()
      for block in blocks { ccurl_free(block) }
      let after = ccurl_kept_bytes()
      // What no list has room for is never kept.
      ccurl_free(ccurl_allocate(1 << 20))
      return (before: before, after: after, last: ccurl_kept_bytes())
    }[0]
    #expect(found.before == 0)
    #expect(found.after <= Self.mostKept)
    #expect(found.after > Self.mostKept - 2 * count)
    #expect(found.last == found.after)
  }

  @Test(.enabled(if: isKept, "not with this C library, or with a sanitizer"))
  func moreThanThereCanBeIsRefused() {
    #expect(ccurl_allocate_zeroed(Int.max, 4) == nil)
    #expect(ccurl_allocate(Int.max) == nil)
  }

  /// Bytes that all are `mark`.
  private struct Block: Sendable {
    /// A number, which may go from thread to thread.
    private var address: UInt
    private var count: Int
    private let mark: UInt8

    init(_ count: Int, mark: UInt8) {
      address = UInt(bitPattern: ccurl_allocate(count))
      self.count = count
      self.mark = mark
      fill()
    }

    private var start: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }

    private func fill() {
      start?.initializeMemory(as: UInt8.self, repeating: mark, count: count)
    }

    private func holds(_ length: Int) -> Bool {
      UnsafeRawBufferPointer(start: start, count: length).allSatisfy { $0 == mark }
    }

    /// `false`: it holds something else by now.
    func free() -> Bool {
      defer { ccurl_free(start) }
      return start != nil && holds(count)
    }

    mutating func resize(_ length: Int) -> Bool {
      address = UInt(bitPattern: ccurl_resize(start, length))
      guard start != nil, holds(min(count, length)) else { return false }
      count = length
      fill()
      return true
    }
  }
}

extension MemoryTests {
  /// Allocates, resizes and frees at random; returns what is left, and how many blocks were damaged.
  private static func exercise(seed: UInt64) -> (left: [Block], damaged: Int) {
    var generator = SeededGenerator(seed: seed)
    var blocks: [Block] = []
    var damaged = 0
    for step in 0..<3_000 {
      let most = 1 << Int.random(in: 3...18, using: &generator)
      let size = Int.random(in: 1...most, using: &generator)
      let action = blocks.isEmpty ? 0 : Int.random(in: 0..<5, using: &generator)
      if action < 2 {
        blocks.append(Block(size, mark: UInt8(truncatingIfNeeded: step)))
        continue
      }
      let index = Int.random(in: 0..<blocks.count, using: &generator)
      if action == 2 {
        if !blocks[index].resize(size) { damaged += 1 }
      } else {
        blocks.swapAt(index, blocks.count - 1)
        if !blocks.removeLast().free() { damaged += 1 }
      }
    }
    return (blocks, damaged)
  }

  /// Threads of their own, for what a thread keeps.
  private static func onThreads<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    let results = Results<Value>()
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread.detachNewThread {
        let value = body(number)
        results.all.withLock { $0.append(value) }
        group.leave()
      }
    }
    group.wait()
    return results.all.withLock { $0 }
  }

  private final class Results<Value: Sendable>: Sendable {
    let all = Mutex<[Value]>([])
  }
}
