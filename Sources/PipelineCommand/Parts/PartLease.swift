internal import PipelineByteText
internal import PipelineKit

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
final class PartLease: Sendable {
  private let path: String
  private let descriptor: Int32
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
  /// - Throws: Its `Holder` if another process has it, or a `PartFolder.Problem`.
  init(path: String) throws {
    self.path = path
    // One process at a time looks at the lease of another and takes its place.
    let gate = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard gate >= 0 else { throw Self.problem(path) }
    defer { close(gate) }
    flock(gate, LOCK_EX)
    if let holder = Self.liveHolder(of: path) { throw holder }
    unlink(path)
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.problem(path) }
    flock(descriptor, LOCK_EX | LOCK_NB)
    _ = writeAll(Array("\(getpid()) \(Self.host)\n".utf8), to: descriptor)
    let held = descriptor
    renewal = Task.detached {
      while (try? await Task.sleep(for: Self.pause)) != nil { futimens(held, nil) }
    }
  }

  deinit {
    renewal.cancel()
    // Only the own file: another process may have taken the lease from one that slept too long.
    var own = stat()
    var named = stat()
    if fstat(descriptor, &own) == 0, stat(path, &named) == 0, own.st_ino == named.st_ino {
      unlink(path)
    }
    close(descriptor)
  }

  /// The holder of the lease, if it is alive.
  private static func liveHolder(of path: String) -> Holder? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = read(file, &bytes, bytes.count)
    let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(ascii: " ")
    guard words.count == 2, let process = Int32(words[0]) else { return nil }
    let host = String(words[1].prefix(before: "\n"))
    let holder = Holder(process: process, host: host)
    if host.equals(bytes: Self.host) {
      // The system gives the lock back when its process ends.
      guard flock(file, LOCK_SH | LOCK_NB) == 0 else { return holder }
      flock(file, LOCK_UN)
      return nil
    }
    var status = stat()
    guard fstat(file, &status) == 0 else { return nil }
    return age(of: status, beside: path) < expiry ? holder : nil
  }

  /// How long ago a file was touched, by the clock of the file's own server.
  private static func age(of status: stat, beside path: String) -> Int {
    let probe = path + ".\(getpid()).probe"
    let file = open(probe, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
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

  private static let host: String = {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()

  private static func problem(_ path: String) -> PartFolder.Problem {
    PartFolder.Problem(description: "'\(path)' cannot be written: \(SystemError.last.message)")
  }
}
