internal import PipelineByteText
internal import PipelineKit
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The right to carry a part out, which one process on all machines has at a time.
///
/// A lease is a file that names its holder and that the holder touches every few seconds. On the
/// holder's machine a lock on the file shows at once whether the holder is alive. On another
/// machine it is over when it was not touched for half a minute.
///
/// A holder that was stopped for longer may have lost its lease. It finds out before it sends
/// anything more: see `Holding`.
final class PartLease: Sendable {
  let path: String
  private let holding: Holding
  /// Touches the file.
  private let renewal: Task<Void, Never>

  /// The holder of a lease.
  struct Holder: Error, Equatable {
    let process: Int32
    let host: String
  }

  private static let pause = Duration.seconds(5)
  /// In seconds.
  private static let expiry = 30

  /// Takes the lease.
  ///
  /// The leases of one step are looked at and taken by one process at a time. A part of another
  /// division of the step's items, such as 1/3 beside 1/2, may hold some of the same items. So
  /// none may be at work.
  ///
  /// - Parameter others: The leases of the parts of other divisions.
  /// - Throws: Its `Holder` if another process has one of them, or a `PartFolder.Problem`.
  init(
    path: String, besides others: () -> [String] = { [] },
    clock: @escaping @Sendable () -> Duration = Holding.systemClock
  ) throws {
    self.path = path
    let gate = Self.gate(of: path)
    let lock = try FolderLock(path: gate)
    if let holder = try Self.liveHolder(of: path) { throw holder }
    for other in others() {
      if let holder = try Self.liveHolder(of: other) { throw holder }
    }
    holding = try Holding(path: path, gate: gate, clock: clock)
    _ = consume lock
    renewal = Task.detached { [holding] in
      while (try? await Task.sleep(for: Self.pause)) != nil { holding.renew() }
    }
  }

  deinit {
    renewal.cancel()
    holding.end()
  }

  /// Whether the process may send a request: whether it has the lease still.
  func holds() -> Bool { holding.holds() }

  /// Renews the lease now.
  func renew() { holding.renew() }

  /// The file that is locked while the leases of a step are looked at.
  private static func gate(of path: String) -> String {
    PathText.folder(of: path) + "/leases.lock"
  }

  /// Whether a process has this lease, as far as can be seen.
  static func isHeld(_ path: String) -> Bool {
    do {
      return try liveHolder(of: path) != nil
    } catch {
      return true
    }
  }

  /// The holder of a lease, if it is alive.
  static func liveHolder(of path: String) throws(PartFolder.Problem) -> Holder? {
    guard let file = try? PartFile(path: path),
      let bytes = try? file.bytes(count: 512)
    else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(ascii: " ")
    guard words.count >= 2, let process = Int32(words[0]) else { return nil }
    let host = String(words[1].prefix(before: "\n"))
    let holder = Holder(process: process, host: host)
    if host.equals(bytes: Host.name) {
      // The system gives the lock back when its process ends.
      return try FolderLock.isHeld(on: file.descriptor, of: path) ? holder : nil
    }
    return age(of: file.status, beside: path) < expiry ? holder : nil
  }

  /// How long ago a file was touched, by the clock of the file's own server.
  private static func age(of status: stat, beside path: String) -> Int {
    let probe = "\(path).\(Run.randomID()).probe"
    let file = open(probe, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { return 0 }
    defer {
      close(file)
      unlink(probe)
    }
    var now = stat()
    guard fstat(file, &now) == 0 else { return 0 }
    #if canImport(Darwin)
      return now.st_mtimespec.tv_sec - status.st_mtimespec.tv_sec
    #else
      return now.st_mtim.tv_sec - status.st_mtim.tv_sec
    #endif
  }
}

extension PartLease {
  /// A lease that this process has taken, and may have lost since.
  ///
  /// 1. The lease is trusted for 20 seconds after it was seen to be the process's own. Others wait
  ///    for 30 seconds before they take it.
  /// 2. After that it is looked at again, under the lock under which others take it.
  /// 3. A lease that was lost stays lost.
  final class Holding: Sendable {
    private struct State {
      /// When the file was last seen to be the process's own.
      var confirmed: Duration
      var isLost = false
    }

    private let path: String
    private let gate: String
    private let descriptor: Int32
    /// The content of the file, which no other holder writes.
    private let content: [UInt8]
    private let clock: @Sendable () -> Duration
    private let state: Mutex<State>

    private static let trust = Duration.seconds(20)

    /// It goes on while the machine sleeps.
    static let systemClock: @Sendable () -> Duration = {
      let origin = systemOrigin
      return { origin.duration(to: .now) }
    }()
    private static let systemOrigin = ContinuousClock.now

    fileprivate init(
      path: String, gate: String, clock: @escaping @Sendable () -> Duration
    ) throws(PartFolder.Problem) {
      self.path = path
      self.gate = gate
      self.clock = clock
      content = Array("\(getpid()) \(Host.name) \(Run.randomID())\n".utf8)
      state = Mutex(State(confirmed: clock()))
      unlink(path)
      descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else {
        throw PartFolder.Problem(
          description: "'\(path)' cannot be written: \(SystemError.last.message)")
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let problem = FolderLock.missing(path, .last)
        remove()
        throw problem
      }
      guard writeAll(content, to: descriptor) == 0 else {
        let message = SystemError.last.message
        remove()
        throw PartFolder.Problem(description: "'\(path)' cannot be written: \(message)")
      }
    }

    private func remove() {
      unlink(path)
      close(descriptor)
    }

    /// Gives the lease back, if it is still the process's own.
    fileprivate func end() {
      if isOwn == true { unlink(path) }
      close(descriptor)
    }

    /// Whether the file at the path is the one that this process made; `nil` if it cannot be read.
    ///
    /// It is opened by its name, which has NFS ask the server.
    private var isOwn: Bool? {
      let bytes: [UInt8]
      do {
        bytes = try PartFile(path: path).bytes(count: content.count + 1)
      } catch {
        return access(path, F_OK) != 0 && errno == ENOENT ? false : nil
      }
      return bytes == content
    }

    /// Touches the file, if it is still the process's own.
    func renew() {
      state.withLock { renew(&$0) }
    }

    private func renew(_ state: inout State) {
      guard !state.isLost else { return }
      let now = clock()
      switch isOwn {
      case true?:
        if futimens(descriptor, nil) == 0 { state.confirmed = now }
      case false?: state.isLost = true
      case nil: break
      }
    }

    /// Whether the lease is still the process's own. A process that was stopped looks first.
    func holds() -> Bool {
      state.withLock { state in
        if state.isLost { return false }
        if clock() - state.confirmed < Self.trust { return true }
        // Leases are taken under this lock.
        guard let lock = try? FolderLock(path: gate) else { return false }
        renew(&state)
        _ = consume lock
        return !state.isLost && clock() - state.confirmed < Self.trust
      }
    }
  }
}

/// The name of this machine.
enum Host {
  static let name: String = {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()
}
