internal import PipelineByteText
internal import PipelineKit
internal import Synchronization

/// The logins of this user, which all processes share.
///
/// Two kinds of locks, which the system releases when a process ends: one for each login, held while
/// a token is fetched, and one for the text of all, held while it is changed.
struct KeptLogins: LoginStore {
  /// The path of the text, beside which the locks are.
  let path: String
  private let content: any LoginContent

  /// How long another process may take to renew a login.
  private static let longestRenewal = Duration.seconds(120)

  init(path: String) {
    self.path = path
    #if canImport(Security)
      content = LoginKeychain(account: path)
    #else
      content = LoginFile(path: path)
    #endif
  }

  /// The logins beside the runs; `nil` if there is nowhere to keep them.
  ///
  /// A run that keeps nothing of itself still has to keep a token that a server has replaced.
  init?(_ options: StoreOptions, environment: [String: String]) {
    guard let location = try? StoreLocation(options, environment: environment) else { return nil }
    switch location {
    case .folder(let folder, _): self.init(path: folder + "/credentials.json")
    case .off:
      guard case .folder(let folder, _) = StoreLocation.standard(environment) else { return nil }
      self.init(path: folder + "/credentials.json")
    case .unknown: return nil
    }
  }

  /// The logins beside the runs.
  ///
  /// - Throws: `UsageError` if there is nowhere to keep them.
  static func needed(
    _ options: StoreOptions, environment: [String: String]
  ) throws(UsageError) -> KeptLogins {
    if let kept = KeptLogins(options, environment: environment) { return kept }
    throw UsageError(message: "there is nowhere to keep logins: set HOME, or give --store DIR")
  }

  /// All logins, by their names.
  func all() throws(LoginProblem) -> [Login] { try LoginText.read(content) }

  /// Changes the logins. They last when this returns.
  func change(_ body: (inout [Login]) -> Void) throws(LoginProblem) {
    try makeFolder()
    let lock = try lockForText()
    defer { withExtendedLifetime(lock) {} }
    var logins = try all()
    body(&logins)
    logins.sort { ($0.id.name, $0.id.seed ?? "") < ($1.id.name, $1.id.seed ?? "") }
    try content.write(LoginText.bytes(of: logins))
  }

  func take(_ id: Login.ID) async throws -> any TakenLogin { try await takeHere(id) }

  /// Takes a login that may also be removed.
  func takeHere(_ id: Login.ID) async throws -> TakenKeptLogin {
    try makeFolder()
    let digest = Hexadecimal.encode(
      SHA256.hash(Array("\(id.name)\0\(id.seed ?? "")".utf8)).prefix(8))
    let place = "\(path).\(digest).lock"
    do {
      let lock = try await FileLock.awaiting(place, within: Self.longestRenewal)
      return TakenKeptLogin(id, in: self, lock, login: try login(id))
    } catch let refusal as FileLock.Refusal {
      throw problem(
        refusal,
        "another process has been renewing the login '\(id.name)' for two minutes; end it, and"
          + " run this again")
    }
  }

  func login(_ id: Login.ID) throws(LoginProblem) -> Login? { try all().first { $0.id == id } }

  private func makeFolder() throws(LoginProblem) {
    do throws(PathProblem) {
      try AtomicFile.makeFolders(PathText.folder(of: path))
    } catch {
      throw unwritable(error.reason)
    }
  }

  /// It is held for as long as a file takes to be written.
  private func lockForText() throws(LoginProblem) -> FileLock {
    do throws(FileLock.Refusal) {
      return try FileLock.waiting(for: path + ".lock", within: .seconds(30))
    } catch {
      throw problem(error, "another process has not let go of the logins in \(content.words)")
    }
  }

  private func problem(_ refusal: FileLock.Refusal, _ held: String) -> LoginProblem {
    switch refusal {
    case .held: LoginProblem(held)
    case .failed(let reason): unwritable(reason.message)
    }
  }

  private func unwritable(_ reason: String) -> LoginProblem {
    LoginProblem("the logins cannot be kept in \(content.words): \(reason)")
  }
}

/// A login that this process has taken.
final class TakenKeptLogin: TakenLogin {
  let login: Login?
  private let id: Login.ID
  private let store: KeptLogins
  private let lock: Mutex<FileLock?>

  fileprivate init(_ id: Login.ID, in store: KeptLogins, _ lock: FileLock, login: Login?) {
    self.id = id
    self.store = store
    self.lock = Mutex(lock)
    self.login = login
  }

  func keep(_ login: Login) throws(LoginProblem) {
    try store.change { logins in
      logins.removeAll { $0.id == id }
      logins.append(login)
    }
  }

  func remove() throws(LoginProblem) {
    try store.change { logins in logins.removeAll { $0.id == id } }
  }

  func giveBack() { lock.withLock { $0 = nil } }
}
