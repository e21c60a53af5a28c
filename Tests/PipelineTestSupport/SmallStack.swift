import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs work on a thread with a stack of 512 KB, as the secondary threads of Apple's platforms have.
package enum SmallStack {
  package static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) -> Result {
    let box = Box(work)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 512 << 10)
    defer { pthread_attr_destroy(&attributes) }
    let context = Unmanaged.passRetained(box).toOpaque()
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let code = pthread_create(
      &thread, &attributes,
      { context in
        #if canImport(Glibc)
          guard let context else { return nil }
        #endif
        Unmanaged<AnyWork>.fromOpaque(context).takeRetainedValue().perform()
        return nil
      }, context)
    precondition(code == 0, "no thread could be made")
    #if canImport(Glibc)
      pthread_join(thread, nil)
    #else
      if let thread { pthread_join(thread, nil) }
    #endif
    guard let result = box.result else { preconditionFailure("the thread has run the work") }
    return result
  }

  private class AnyWork {
    func perform() {}
  }

  private final class Box<Result>: AnyWork {
    let work: () -> Result
    var result: Result?

    init(_ work: @escaping () -> Result) {
      self.work = work
    }

    override func perform() { result = work() }
  }
}
