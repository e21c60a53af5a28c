import PipelineKit
import Synchronization

/// Logins in memory.
final class MemoryLogins: LoginStore {
  private let logins = Mutex<[Login.ID: Login]>([:])
  private let refusal: LoginProblem?

  /// - Parameter refusal: Why nothing can be kept.
  init(refusal: LoginProblem? = nil) { self.refusal = refusal }

  var all: [Login] { logins.withLock { Array($0.values) } }

  func put(_ login: Login) { logins.withLock { $0[login.id] = login } }

  func login(_ id: Login.ID) -> Login? { logins.withLock { $0[id] } }

  func take(_ id: Login.ID) async throws -> any TakenLogin {
    Taken(login: login(id), store: self)
  }

  private struct Taken: TakenLogin {
    let login: Login?
    let store: MemoryLogins

    func keep(_ login: Login) throws(LoginProblem) {
      if let refusal = store.refusal { throw refusal }
      store.put(login)
    }

    func giveBack() {}
  }
}
