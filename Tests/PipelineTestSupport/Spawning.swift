internal import Synchronization

#if canImport(Glibc)
  package import Glibc

  private let systemPipe = Glibc.pipe
#else
  package import Darwin

  private let systemPipe = Darwin.pipe
#endif

#if canImport(Darwin)
  package typealias SpawnActions = posix_spawn_file_actions_t?
#else
  package typealias SpawnActions = posix_spawn_file_actions_t
#endif

/// Starts programs with `posix_spawn`.
///
/// Foundation's `Process` on Linux reads past the last entry of `/proc/self/fd`, and crashes if
/// that entry ends a page: tests hold thousands of descriptors at once.
package enum Spawning {
  /// The variables of this process.
  package static var environment: [String: String] {
    #if canImport(Darwin)
      var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = _NSGetEnviron().pointee
    #else
      var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    #endif
    var variables: [String: String] = [:]
    while let text = entry?.pointee {
      let pair = String(cString: text).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      variables[String(pair[0])] = pair.count == 2 ? String(pair[1]) : ""
      entry = entry?.advanced(by: 1)
    }
    return variables
  }

  /// Closed while a pipe is made that no program may inherit.
  private static let gate = Mutex(())

  /// A pipe that is closed in programs, unless they are given it as a standard stream: one that held
  /// another's pipe open would keep its reader waiting.
  package static func pipe() -> (reading: Int32, writing: Int32)? {
    gate.withLock { _ in
      var ends: [Int32] = [-1, -1]
      guard systemPipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return (ends[0], ends[1])
    }
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: The path of the program and its arguments.
  ///   - isApart: Whether it has a process group of its own, and the default actions of signals that
  ///     this process ignores.
  ///   - configure: Adds what the program does with its descriptors and folder before it begins.
  /// - Returns: The process.
  /// - Throws: `Failed` if it cannot be started.
  package static func start(
    _ words: [String], environment: [String: String], isApart: Bool = false,
    configure: (inout SpawnActions) -> Void
  ) throws(Failed) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    configure(&actions)
    // Threads of a dispatch queue block most signals, and a program would inherit that.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    var flags = Int16(POSIX_SPAWN_SETSIGMASK)
    if isApart {
      var defaults = sigset_t()
      sigemptyset(&defaults)
      for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&defaults, number) }
      posix_spawnattr_setsigdefault(&attributes, &defaults)
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP)
    }
    posix_spawnattr_setflags(&attributes, flags)
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var id = pid_t()
    let number = gate.withLock { _ in
      posix_spawn(&id, words[0], &actions, &attributes, arguments, variables)
    }
    guard number == 0 else { throw Failed(reason: String(cString: strerror(number))) }
    return id
  }

  package struct Failed: Error {
    package let reason: String
  }

  /// Waits until a process ends, and gives its exit status: 128 and the signal if one ended it.
  package static func end(of id: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }
}
