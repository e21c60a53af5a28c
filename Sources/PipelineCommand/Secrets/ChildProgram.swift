internal import PipelineByteText
internal import PipelineKit
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A program that is started for what it prints, without a shell.
///
/// It reads nothing from stdin, has a process group of its own, and is given only the variables
/// that are named here. Ctrl-C ends it together with this process.
struct ChildProgram: Sendable {
  /// The absolute path of its file.
  let path: String
  /// The words after its name.
  let arguments: [String]
  let environment: [String: String]
  /// How long it may take.
  let timeout: Duration
  /// The maximum number of bytes that it may print to each of stdout and stderr.
  let limit: Int

  /// What it printed until it ended.
  struct Output: Sendable {
    /// 128 and the number of the signal if one ended it.
    var status: Int32
    var output: [UInt8] = []
    var error: [UInt8] = []
  }

  /// Why a program gave no output.
  enum Failure: Error, Sendable {
    case notStarted(SystemError)
    case timedOut
    /// It printed more than `limit` bytes.
    case tooMuch
  }

  /// Runs it until it ends, on a thread of its own.
  func run() async throws(Failure) -> Output {
    let result: Result<Output, Failure> = await withCheckedContinuation { continuation in
      startThread {
        do throws(Failure) {
          continuation.resume(returning: .success(try runHere()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  private func runHere() throws(Failure) -> Output {
    guard let output = ChildPipe(), let error = ChildPipe(), let end = ChildPipe() else {
      throw .notStarted(SystemError.last)
    }
    let signals = SignalsToGroup()
    defer { signals.restore() }
    let id = try start(output, error)
    signals.set(group: id)
    output.closeWriting()
    error.closeWriting()
    // The pipes say nothing about the end, because a daemon that it started may hold them open.
    startThread {
      var information = siginfo_t()
      while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      end.closeWriting()
    }
    var reading = Reading(output: output, error: error, end: end, limit: limit)
    let failure = reading.read(within: timeout)
    if failure != nil { kill(-id, SIGKILL) }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    signals.set(group: 0)
    // The signal is about to end this process, so the end of the program is not its failure.
    while isEnding.load(ordering: .sequentiallyConsistent) { pause() }
    if let failure { throw failure }
    return Output(
      status: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F,
      output: reading.outputBytes, error: reading.errorBytes)
  }

  /// Starts it and does not wait for it. What it prints is dropped, and no signal to this process
  /// ends it.
  ///
  /// - Returns: Whether it was started.
  func launch() -> Bool {
    guard let id = try? start(nil, nil) else { return false }
    startThread {
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
    }
    return true
  }

  /// - Parameters:
  ///   - output: Gets what it prints to stdout; `nil` if that is dropped.
  ///   - error: The same for stderr.
  private func start(_ output: ChildPipe?, _ error: ChildPipe?) throws(Failure) -> pid_t {
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
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for (pipe, stream) in [(output, STDOUT_FILENO), (error, STDERR_FILENO)] {
      if let pipe {
        posix_spawn_file_actions_adddup2(&actions, pipe.writing, stream)
      } else {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
      }
    }
    #if !canImport(Darwin)
      // It inherits no open file of this process, not even one that another thread opens in that
      // time.
      guard let closeFilesFrom else { throw .notStarted(SystemError(ENOSYS)) }
      _ = closeFilesFrom(&actions, STDERR_FILENO + 1)
    #endif
    // This process ignores SIGPIPE, and its threads may block signals.
    var (blocked, defaults) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigemptyset(&defaults)
    for number in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setpgroup(&attributes, 0)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let variables =
      environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var id = pid_t()
    let number = posix_spawn(&id, path, &actions, &attributes, words, variables)
    guard number == 0 else { throw .notStarted(SystemError(number)) }
    return id
  }
}

#if !canImport(Darwin)
  private typealias CloseFilesFrom =
    @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

  /// glibc has it since 2.34, and Swift's module of glibc leaves it out.
  private let closeFilesFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafeBitCast($0, to: CloseFilesFrom.self)
  }
#endif

extension ChildProgram {
  /// The file of a program that is named as on a command line: a path, or a name that is looked up
  /// in `PATH`. Folders of `PATH` that are not absolute are left out: a file in the current folder
  /// must not become a program by its name.
  ///
  /// - Returns: `nil` if there is none that may be carried out.
  static func path(of name: String, in environment: [String: String]) -> String? {
    if name.contains(bytes: "/") { return access(name, X_OK) == 0 ? name : nil }
    return (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(ascii: ":")
      .filter { $0.hasPrefix(bytes: "/") }
      .map { $0 + "/" + name }
      .first { path in
        var status = stat()
        return access(path, X_OK) == 0 && stat(path, &status) == 0
          && status.st_mode & S_IFMT == S_IFREG
      }
  }
}

/// A pipe that no other program inherits. Its ends are closed with it.
private final class ChildPipe: Sendable {
  let reading: Int32
  private let end: Atomic<Int32>

  var writing: Int32 { end.load(ordering: .relaxed) }

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    reading = ends[0]
    end = Atomic(ends[1])
  }

  func closeWriting() {
    let number = end.exchange(-1, ordering: .relaxed)
    if number >= 0 { close(number) }
  }

  deinit {
    close(reading)
    closeWriting()
  }
}

/// Reads what a program prints until it has ended.
private struct Reading {
  let output: ChildPipe
  let error: ChildPipe
  let end: ChildPipe
  let limit: Int
  private(set) var outputBytes: [UInt8] = []
  private(set) var errorBytes: [UInt8] = []
  private var isOpen = (output: true, error: true)

  init(output: ChildPipe, error: ChildPipe, end: ChildPipe, limit: Int) {
    self.output = output
    self.error = error
    self.end = end
    self.limit = limit
  }

  /// - Returns: Why it is not awaited to the end; `nil` if it has ended.
  mutating func read(within timeout: Duration) -> ChildProgram.Failure? {
    let last = ContinuousClock.now + timeout
    while true {
      let rest = ContinuousClock.now.duration(to: last)
      guard rest > .zero else { return .timedOut }
      var ends = [
        pollfd(fd: isOpen.output ? output.reading : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOpen.error ? error.reading : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: end.reading, events: Int16(POLLIN), revents: 0),
      ]
      let milliseconds = min(60_000, rest / .milliseconds(1) + 1)
      _ = poll(&ends, nfds_t(ends.count), Int32(milliseconds))
      // What it printed was there before its end was seen.
      let hasEnded = ends[2].revents != 0
      isOpen.output = isOpen.output && Self.drain(output.reading, into: &outputBytes, limit)
      isOpen.error = isOpen.error && Self.drain(error.reading, into: &errorBytes, limit)
      if outputBytes.count > limit || errorBytes.count > limit { return .tooMuch }
      if hasEnded { return nil }
    }
  }

  /// Reads what has arrived, up to a little more than `limit`; `false`: nothing more will come.
  private static func drain(_ descriptor: Int32, into bytes: inout [UInt8], _ limit: Int) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= limit {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, &chunk, chunk.count)
      #else
        let count = Darwin.read(descriptor, &chunk, chunk.count)
      #endif
      if count > 0 {
        bytes += chunk[..<count]
      } else if count == 0 {
        return false
      } else if errno != EINTR {
        return true
      }
    }
    return true
  }
}

/// The process group that ends together with this process; 0: none; `starting`: one whose number is
/// not known yet; `starting` less a signal's number: the same, and the signal waits for it.
private let groupUnderWay = Atomic<Int32>(0)
private let starting: Int32 = -1
/// Whether a signal is about to end this process.
private let isEnding = Atomic(false)

/// While it exists, a signal that ends this process ends the group of a started program before.
private final class SignalsToGroup {
  private var before: [(number: Int32, action: sigaction)] = []

  /// Says which group a signal ends; 0: none any more. A signal that came while it started ends it
  /// now, and then this process.
  func set(group: pid_t) {
    let before = groupUnderWay.exchange(group, ordering: .sequentiallyConsistent)
    guard before < starting else { return }
    if group > 0 { kill(-group, SIGKILL) }
    kill(getpid(), starting - before)
  }

  init() {
    groupUnderWay.store(starting, ordering: .sequentiallyConsistent)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var old = sigaction()
      sigaction(number, nil, &old)
      // A handler of this process decides by itself. What `nohup` ignores stays ignored; Ctrl-C and
      // SIGTERM end the program even if the shell made it ignore them, as they do later in a run.
      guard old.isHandled(by: SIG_DFL) || number != SIGHUP && old.isHandled(by: SIG_IGN)
      else { continue }
      var action = sigaction()
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = endGroup
      #else
        action.__sigaction_handler.sa_handler = endGroup
      #endif
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
      before.append((number, old))
    }
  }

  func restore() {
    set(group: 0)
    for (number, action) in before {
      var action = action
      sigaction(number, &action, nil)
    }
    before = []
  }
}

#if canImport(Darwin)
  typealias SignalHandler = (@convention(c) (Int32) -> Void)?
#else
  typealias SignalHandler = __sighandler_t?
#endif

extension sigaction {
  /// Whether this is what becomes of a signal.
  func isHandled(by wanted: SignalHandler) -> Bool {
    #if canImport(Darwin)
      let handler = __sigaction_u.__sa_handler
    #else
      let handler = __sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(wanted, to: Int.self)
  }
}

/// The signal handler: async-signal-safe, as it only sets flags and calls kill(2) and raise(3). The
/// signal that it raises has its default action again (`SA_RESETHAND`), and ends this process.
private func endGroup(_ number: Int32) {
  isEnding.store(true, ordering: .sequentiallyConsistent)
  let (waits, group) = groupUnderWay.compareExchange(
    expected: starting, desired: starting - number, ordering: .sequentiallyConsistent)
  if waits { return }
  if group > 0 { kill(-group, SIGKILL) }
  raise(number)
}
