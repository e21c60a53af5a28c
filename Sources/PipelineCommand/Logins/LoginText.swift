internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineSourceText

/// Logins as JSON text.
enum LoginText {
  private static let format = 1

  /// Reads all logins.
  static func read(_ content: any LoginContent) throws(LoginProblem) -> [Login] {
    guard let bytes = try content.read() else { return [] }
    guard let root = try? JSONDocument.parse(bytes).root, let format = root["format"]?.number?.int,
      let list = root["logins"]
    else { throw unreadable(content, "it is not what pipeline writes") }
    guard format <= Self.format else {
      throw unreadable(content, "format \(format) needs a newer pipeline")
    }
    var logins: [Login] = []
    for node in list.elements {
      guard let login = login(node) else {
        throw unreadable(content, "a login lacks its name, address or client")
      }
      logins.append(login)
    }
    return logins
  }

  private static func unreadable(_ content: any LoginContent, _ reason: String) -> LoginProblem {
    LoginProblem(
      "the logins in \(content.words) cannot be read: \(reason); move them away, and log in again")
  }

  private static func login(_ node: JSONNode) -> Login? {
    guard let name = node["name"]?.string, let tokenURL = node["tokenURL"]?.string,
      let clientID = node["clientId"]?.string
    else { return nil }
    var login = Login(
      id: Login.ID(name: name, seed: node["seed"]?.string), tokenURL: tokenURL,
      clientID: clientID, scopes: node["scopes"]?.elements.compactMap(\.string) ?? [],
      refreshToken: node["refreshToken"]?.string, changed: node["changed"]?.number?.double ?? 0)
    login.previous = node["previousRefreshToken"]?.string
    login.isRefused = node["refused"]?.boolean ?? false
    if let token = node["accessToken"]?.string {
      login.access = Login.Access(
        token: token, expires: node["accessTokenExpires"]?.number?.double,
        use: node["accessTokenUse"]?.string ?? "")
    }
    return login
  }

  static func bytes(of logins: [Login]) -> [UInt8] {
    var writer = JSONWriter(style: .pretty)
    writer.beginObject()
    writer.member("format", format)
    writer.name("logins")
    writer.beginArray()
    for login in logins { write(login, to: &writer) }
    writer.endArray()
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private static func write(_ login: Login, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", login.id.name)
    if let seed = login.id.seed { writer.member("seed", seed) }
    writer.member("tokenURL", login.tokenURL)
    writer.member("clientId", login.clientID)
    writer.name("scopes")
    writer.beginArray()
    for scope in login.scopes { writer.string(scope) }
    writer.endArray()
    if let token = login.refreshToken { writer.member("refreshToken", token) }
    if let token = login.previous { writer.member("previousRefreshToken", token) }
    if let access = login.access {
      writer.member("accessToken", access.token)
      if let expires = access.expires { writer.member("accessTokenExpires", moment(expires)) }
      writer.member("accessTokenUse", access.use)
    }
    if login.isRefused { writer.member("refused", true) }
    writer.member("changed", moment(login.changed))
    writer.endObject()
  }

  /// A moment in whole seconds, rounded down: a token may end a little early.
  private static func moment(_ seconds: Double) -> Int { Int(seconds.rounded(.down)) }
}
