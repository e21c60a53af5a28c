internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The requests that the runs of a store have sent, for `limits.quota`: a file beside the runs, which
/// one process at a time changes.
struct KeptQuotas: QuotaKeeping {
  private static let sizeLimit = 16 << 20

  private let folder: String
  private let files: FileSystem
  private var path: String { folder + "/quotas.json" }

  /// `nil` if nothing is kept.
  init?(in store: StoreOptions, environment: [String: String], _ files: FileSystem) {
    guard case .folder(let folder, _)? = try? StoreLocation(store, environment: environment)
    else { return nil }
    self.folder = folder
    self.files = files
  }

  func take(
    _ wanted: Int, of quota: Limits.Rate, to origin: String, at time: Double
  ) throws(FileError) -> QuotaAnswer {
    var answer = QuotaAnswer.none(until: time)
    try change(quota, origin, at: time) { answer = $0.take(wanted, of: quota.count, at: time) }
    return answer
  }

  func giveBack(_ count: Int, to slice: Int, of quota: Limits.Rate, to origin: String) {
    // What cannot be given back stays counted.
    try? change(quota, origin, at: nil) { $0.giveBack(count, to: slice) }
  }

  /// Changes the counts of an origin, while no other process does.
  ///
  /// - Parameter time: Counts that ended before this time are forgotten; `nil` keeps all.
  private func change(
    _ quota: Limits.Rate, _ origin: String, at time: Double?, _ change: (inout QuotaWindow) -> Void
  ) throws(FileError) {
    do throws(PathProblem) {
      try AtomicFile.makeFolders(folder)
      let lock = try lock()
      defer { withExtendedLifetime(lock) {} }
      var record = QuotaRecord(try content())
      if let time { record.windows = record.windows.filter { !$0.value.isEnded(at: time) } }
      let key = QuotaRecord.Key(origin: StoredOrigin.name(origin), span: quota.per)
      change(&record.windows[key, default: .init(span: quota.per)])
      try AtomicFile(privateAt: path).write(record.bytes)
    } catch {
      throw FileError("'\(error.path)': \(error.reason)")
    }
  }

  private func lock() throws(PathProblem) -> FileLock {
    let path = folder + "/quotas.lock"
    do throws(FileLock.Refusal) {
      return try FileLock.waiting(for: path, within: .seconds(30))
    } catch {
      switch error {
      case .held:
        throw PathProblem(path: path, reason: "another process has not let go of it for 30 seconds")
      case .failed(let reason): throw PathProblem(path: path, reason: reason.message)
      }
    }
  }

  private func content() throws(PathProblem) -> JSONDocument? {
    guard access(path, F_OK) == 0 else { return nil }
    let bytes = try files.readFile(path, Self.sizeLimit)
    guard let document = try? JSONDocument.parse(bytes), document.root["format"]?.text == "1" else {
      throw PathProblem(
        path: path, reason: "it is not as a run writes it; remove it to begin to count anew")
    }
    return document
  }
}

/// The counts of all quotas, as their file has them.
struct QuotaRecord {
  struct Key: Hashable {
    /// Its name in the file.
    let origin: String
    let span: Duration
  }

  var windows: [Key: QuotaWindow] = [:]

  /// - Parameter document: What the file has; `nil` if there is none.
  init(_ document: JSONDocument?) {
    for entry in document?.root["quotas"]?.elements.map({ $0 }) ?? [] {
      guard let origin = entry["origin"]?.string,
        let milliseconds = entry["milliseconds"].flatMap({ Int($0.text) })
      else { continue }
      let span = Duration.milliseconds(milliseconds)
      let slices = (entry["slices"]?.elements.map { $0 } ?? []).compactMap { slice in
        guard let number = slice[0].flatMap({ Int($0.text) }),
          let count = slice[1].flatMap({ Int($0.text) })
        else { return nil as QuotaWindow.Slice? }
        return .init(number: number, count: count)
      }
      let key = Key(origin: StoredOrigin.name(origin), span: span)
      windows[key] = QuotaWindow(span: span, slices: slices)
    }
  }

  /// The content of the file.
  var bytes: [UInt8] {
    let sorted = windows.sorted { ($0.key.origin, $0.key.span) < ($1.key.origin, $1.key.span) }
    let quotas = sorted.map { key, window in
      JSONValue.object([
        .init("origin", .string(key.origin)),
        .init("milliseconds", JSONValue(Int((key.span / .milliseconds(1)).rounded()))),
        .init(
          "slices",
          .array(window.slices.map { .array([JSONValue($0.number), JSONValue($0.count)]) })),
      ])
    }
    let value = JSONValue.object([.init("format", 1), .init("quotas", .array(quotas))])
    return Array((value.node.text + "\n").utf8)
  }
}
