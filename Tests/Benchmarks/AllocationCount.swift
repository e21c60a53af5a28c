import Foundation

/// Counts what the Swift runtime allocates: objects and the buffers of arrays and strings.
///
/// The runtime calls its allocator through a variable, which is replaced for the time of counting. The
/// work that is counted must not retain strings.
enum AllocationCount {
  private typealias Allocate =
    @convention(c) (UnsafeRawPointer?, Int, Int) -> UnsafeMutableRawPointer?

  // The allocator's replacement is a C function, which can carry nothing along: what it changes must be
  // global. Only `during` touches these, from one thread, and the work it measures starts no others; a
  // lock would allocate, and so be counted.
  nonisolated(unsafe) private static var count = 0
  nonisolated(unsafe) private static var original: Allocate?

  /// How many allocations `work` makes; `nil` where the runtime has no such variable.
  static func during(_ work: () -> Void) -> Int? {
    guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "_swift_allocObject") else {
      return nil
    }
    let hook = symbol.assumingMemoryBound(to: Allocate.self)
    let replaced = hook.pointee
    original = replaced
    work()
    count = 0
    hook.pointee = { metadata, size, alignment in
      AllocationCount.count += 1
      return AllocationCount.original?(metadata, size, alignment)
    }
    work()
    hook.pointee = replaced
    // The runtime has seen the replacement and from now on retains by a path that takes the small
    // strings of this platform for objects; this leads it back.
    let flag = "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly"
    dlsym(UnsafeMutableRawPointer(bitPattern: 0), flag)?
      .storeBytes(of: false, as: Bool.self)
    return count
  }
}
