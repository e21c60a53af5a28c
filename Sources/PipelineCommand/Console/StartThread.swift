#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Runs `body` on a separate thread, because it blocks in read(2), which no task may.
func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let box = Unmanaged.passRetained(Box(body))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let result = pthread_create(
    &thread, nil,
    { argument in
      #if canImport(Darwin)
        Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
      #else
        if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
      #endif
      return nil
    }, box.toOpaque())
  if result == 0 {
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  } else {
    box.release()
  }
}
