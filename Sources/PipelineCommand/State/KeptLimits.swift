internal import PipelineJSONText
internal import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The limits that servers have announced, for all processes that use a store: a file beside the
/// runs, which one process at a time changes.
///
/// It holds what is known for a few minutes. So it is not synchronized with the disk, and a content
/// that cannot be read counts as none.
struct KeptLimits: AnnouncedLimitKeeping {
  private static let sizeLimit = 4 << 20

  private let folder: String
  private var path: String { folder + "/limits.json" }

  /// `nil` if nothing is kept.
  init?(in store: StoreOptions, environment: [String: String]) {
    guard case .folder(let folder, _)? = try? StoreLocation(store, environment: environment)
    else { return nil }
    self.folder = folder
  }

  func change(
    _ origin: String, at time: Double, makesStore: Bool, _ body: (inout [KeptLimit]) -> Bool
  ) {
    guard let file = opened(makesStore: makesStore) else {
      var limits: [KeptLimit] = []
      _ = body(&limits)
      return
    }
    defer { close(file) }
    while flock(file, LOCK_EX) != 0, errno == EINTR {}
    var record = LimitRecord(content(of: file))
    guard body(&record.limits[StoredOrigin.name(origin), default: []]) else { return }
    record.forget(at: time)
    write(record.bytes, to: file)
  }

  /// What is known of all origins, by their names in the file.
  func all() -> [String: [KeptLimit]] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return [:] }
    defer { close(file) }
    while flock(file, LOCK_SH) != 0, errno == EINTR {}
    return LimitRecord(content(of: file)).limits
  }

  /// The file, for reading and writing; `nil` if there is none, or it cannot be made.
  private func opened(makesStore: Bool) -> Int32? {
    if makesStore, (try? AtomicFile.makeFolders(folder)) == nil { return nil }
    let file = open(
      path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (makesStore ? O_CREAT : 0), 0o600)
    return file >= 0 ? file : nil
  }

  private func content(of file: Int32) -> JSONDocument? {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_size > 0, status.st_size <= Self.sizeLimit else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let read = bytes.withUnsafeMutableBytes {
        pread(file, $0.baseAddress.map { $0 + count }, $0.count - count, off_t(count))
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { return nil }
      count += read
    }
    return try? JSONDocument.parse(bytes)
  }

  private func write(_ bytes: [UInt8], to file: Int32) {
    guard ftruncate(file, 0) == 0, lseek(file, 0, SEEK_SET) == 0 else { return }
    _ = writeAll(bytes, to: file)
  }
}

/// The limits of all origins, as their file has them.
struct LimitRecord {
  /// A run that meets new origins without end keeps those whose limits end last.
  private static let most = 1_000

  /// By the name of their origin in the file.
  var limits: [String: [KeptLimit]] = [:]

  /// - Parameter document: What the file has; `nil` if there is none.
  init(_ document: JSONDocument?) {
    guard let root = document?.root, root["format"]?.text == "1" else { return }
    for entry in root["limits"]?.elements.map({ $0 }) ?? [] {
      guard let origin = entry["origin"]?.string, let name = entry["name"]?.string,
        let remaining = Self.number(entry["remaining"]), let time = Self.number(entry["at"]),
        let end = Self.number(entry["until"])
      else { continue }
      var limit = KeptLimit(
        name: name, limit: Self.number(entry["limit"]), length: Self.number(entry["seconds"]),
        remaining: remaining, refill: max(0, Self.number(entry["refill"]) ?? 0), time: time,
        end: end)
      for member in entry["held"]?.members.map({ $0 }) ?? [] {
        guard let count = member.value[0].flatMap({ Int($0.text) }),
          let time = Self.number(member.value[1]), (0...1_000_000) ~= count
        else { continue }
        limit.held[member.name] = .init(count: count, time: time)
      }
      limits[StoredOrigin.name(origin), default: []].append(limit)
    }
  }

  /// A finite number that is not negative.
  private static func number(_ node: JSONNode?) -> Double? {
    guard let number = node?.number.flatMap({ Double($0.text) }), (0...1e15) ~= number else {
      return nil
    }
    return number
  }

  /// Leaves out what has ended.
  mutating func forget(at time: Double) {
    limits = limits.mapValues { $0.filter { $0.end > time } }.filter { !$0.value.isEmpty }
    guard limits.count > Self.most else { return }
    let ends = limits.mapValues { $0.map(\.end).max() ?? 0 }
    let kept = ends.sorted { $0.value > $1.value }.prefix(Self.most).map(\.key)
    limits = limits.filter { Set(kept).contains($0.key) }
  }

  /// The content of the file.
  var bytes: [UInt8] {
    let sorted = limits.sorted { $0.key < $1.key }
    let entries = sorted.flatMap { origin, limits in
      limits.map { limit in
        var members = [
          JSONValue.Member("origin", .string(origin)), .init("name", .string(limit.name)),
        ]
        if let number = limit.limit { members.append(.init("limit", Self.value(number))) }
        if let length = limit.length { members.append(.init("seconds", Self.value(length))) }
        members += [
          .init("remaining", Self.value(limit.remaining)), .init("at", Self.value(limit.time)),
          .init("until", Self.value(limit.end)),
        ]
        if limit.refill > 0 { members.append(.init("refill", Self.value(limit.refill))) }
        members.append(
          .init(
            "held",
            .object(
              limit.held.sorted { $0.key < $1.key }.map { name, share in
                .init(name, .array([JSONValue(share.count), Self.value(share.time)]))
              })))
        return JSONValue.object(members)
      }
    }
    let value = JSONValue.object([.init("format", 1), .init("limits", .array(entries))])
    return Array((value.node.text + "\n").utf8)
  }

  private static func value(_ number: Double) -> JSONValue {
    JSONValue((number * 1_000_000).rounded() / 1_000_000) ?? 0
  }
}
