internal import PipelineByteText

/// What is kept between runs of a login at an authorization server.
package struct Login: Sendable, Equatable {
  /// Which login it is.
  package struct ID: Sendable, Hashable {
    /// The author's name for it, or the server and the client.
    package let name: String
    /// The digest of the refresh token that the workflow gives; `nil` if a person has logged in
    /// with `pipeline login`.
    package let seed: String?

    package init(name: String, seed: String?) {
      self.name = name
      self.seed = seed
    }

    package static func == (left: ID, right: ID) -> Bool {
      left.name.equals(bytes: right.name) && left.seed.equals(bytes: right.seed)
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(seed)
    }

    /// The seed of a refresh token. The token cannot be computed from it.
    package static func seed(of refreshToken: String) -> String {
      Hexadecimal.encode(SHA256.hash(Array(refreshToken.utf8)).prefix(16))
    }
  }

  /// An access token, and for what it is good.
  package struct Access: Sendable, Equatable {
    package var token: String
    /// Seconds since 1970; `nil` if it is good until it is refused.
    package var expires: Double?
    /// The digest of scopes and parameters that it was given for.
    package var use: String

    package init(token: String, expires: Double?, use: String) {
      self.token = token
      self.expires = expires
      self.use = use
    }
  }

  package let id: ID
  /// Where tokens are fetched. They are sent nowhere else to be renewed.
  package var tokenURL: String
  package var clientID: String
  /// The permissions that were requested.
  package var scopes: [String]
  /// Renews the access token; `nil` if the server gave none.
  package var refreshToken: String?
  /// The refresh token before it, until the new one has worked.
  package var previous: String?
  package var access: Access?
  /// Whether the server has refused the refresh token: only a person can go on.
  package var isRefused = false
  /// When it was last changed, in seconds since 1970.
  package var changed: Double

  package init(
    id: ID, tokenURL: String, clientID: String, scopes: [String], refreshToken: String?,
    access: Access? = nil, changed: Double
  ) {
    self.id = id
    self.tokenURL = tokenURL
    self.clientID = clientID
    self.scopes = scopes
    self.refreshToken = refreshToken
    self.access = access
    self.changed = changed
  }
}

/// Keeps logins between runs.
package protocol LoginStore: Sendable {
  /// Takes a login for this process, and waits until no other has it.
  ///
  /// - Throws: `LoginProblem`, or `CancellationError` if the task is cancelled.
  func take(_ id: Login.ID) async throws -> any TakenLogin
  /// What the store has of a login at this moment; `nil` if there is nothing.
  func login(_ id: Login.ID) throws(LoginProblem) -> Login?
}

/// A login that no other process changes until it is given back.
package protocol TakenLogin: Sendable {
  /// What the store has; `nil` if there is nothing.
  var login: Login? { get }
  /// Keeps it. It is on the disk when this returns.
  func keep(_ login: Login) throws(LoginProblem)
  /// Lets other processes have it.
  func giveBack()
}

/// Why a login cannot be read or kept: one phrase.
package struct LoginProblem: Error, Sendable {
  package let message: String

  package init(_ message: String) { self.message = message }
}
