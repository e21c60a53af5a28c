internal import PipelineByteText
internal import PipelineKit
internal import PipelineLanguage
internal import Synchronization

/// The limits that processes share by the files of a folder: rates, and requests in flight.
final class FolderLimits: LimitSharing {
  private let folder: String
  /// The path of the process's lease.
  private let lease: String
  private let clock: any RunClock
  private let rates = Mutex<[String: SharedRate]>([:])
  private let joined = Mutex<[Joined]>([])

  /// A limit that the process has a share of.
  private struct Joined {
    let file: SharedFile
    /// Looks whether the share has changed.
    let renewal: Task<Void, Never>
  }

  /// How soon a process sees that others have begun or ended.
  private static let pause = Duration.milliseconds(500)
  /// Until another process has changed the file.
  private static let shortPause = Duration.milliseconds(5)

  /// - Parameters:
  ///   - folder: It exists.
  ///   - lease: The path of a lease that this process holds.
  init(folder: String, lease: String, clock: any RunClock) {
    self.folder = folder
    self.lease = lease
    self.clock = clock
  }

  deinit { end() }

  /// A name of a file for a limit.
  ///
  /// - Parameters:
  ///   - kind: Of the limit.
  ///   - names: An origin or a called file, which may hold what the name of a file cannot.
  private static func name(_ kind: String, _ names: String...) -> String {
    var text = kind
    for name in names where !name.isEmpty {
      text += "-"
      for byte in name.utf8 {
        text +=
          fileBytes.contains(byte) ? String(UnicodeScalar(byte)) : "_" + String(byte, radix: 16)
      }
    }
    return String(text.prefix(200))
  }

  private static let fileBytes = ASCIISet.letters.union(.digits).union(ASCIISet("."))

  // MARK: Rates

  func waitForTurn(_ origin: String, _ rates: SharedRates, of owner: String) async throws {
    if let rate = rates.run {
      try await self.rate(Self.name("rate", owner), rate).waitForTurn()
    }
    if let rate = rates.origin {
      try await self.rate(Self.name("origin", origin, owner), rate).waitForTurn()
    }
  }

  private func rate(_ name: String, _ rate: Limits.Rate) -> SharedRate {
    rates.withLock { rates in
      if let known = rates[name] { return known }
      let shared = SharedRate(rate, in: SharedFile(path: "\(folder)/\(name)"), clock: clock)
      rates[name] = shared
      return shared
    }
  }

  // MARK: Requests in flight

  func join(
    run: Int, origin: Int, of owner: String,
    _ gates: @escaping @Sendable (InFlight) -> InFlight
  ) {
    let file = SharedFile(path: "\(folder)/\(Self.name("places", owner))")
    let limit = InFlight(run: run, origin: origin)
    _ = gates(InFlight(run: 0, origin: 0))
    let take = { @Sendable [lease] in Self.take(lease, of: limit, in: file, gates) }
    let isTaken = take()
    let renewal = Task.detached {
      var pause = isTaken ? Self.pause : Self.shortPause
      while (try? await Task.sleep(for: pause)) != nil {
        pause = take() ? Self.pause : Self.shortPause
      }
    }
    joined.withLock { $0.append(Joined(file: file, renewal: renewal)) }
  }

  /// - Returns: `false` if another process has the file.
  private static func take(
    _ lease: String, of limit: InFlight, in file: SharedFile, _ gates: (InFlight) -> InFlight
  ) -> Bool {
    // If the file cannot be used, the share stays as it is until the next try.
    let change: Void? = try? file.change { text in
      var places = SharedPlaces(text)
      places.take(lease, of: limit, isAlive: PartLease.isHeld, gates)
      text = places.text
    }
    return change != nil
  }

  /// Gives the process's shares back.
  func end() {
    let ended = joined.withLock { joined in
      defer { joined = [] }
      return joined
    }
    for joined in ended {
      joined.renewal.cancel()
      _ = try? joined.file.change { [lease] text in
        var places = SharedPlaces(text)
        places.giveBack(lease)
        text = places.text
      }
    }
  }
}
