/// Tells by its name what is likely to be a credential.
enum CurlSecret {
  /// Whether a header of this name, in lower case, carries one.
  static func isHeader(_ name: String) -> Bool {
    [
      "api-key", "apikey", "-token", "-secret", "-auth", "x-auth", "access-key", "session",
    ].contains { name.contains($0) }
  }

  /// Whether a parameter, a field of a form or a member of JSON is one. `max_tokens` and `page_token`
  /// are not.
  static func isField(_ name: String) -> Bool {
    fields.contains(name.lowercased().filter { $0 != "-" && $0 != "_" })
  }

  private static let fields: Set<String> = [
    "password", "passwd", "pwd", "passphrase", "secret", "clientsecret", "apisecret", "secretkey",
    "token", "accesstoken", "refreshtoken", "authtoken", "apitoken", "privatetoken", "apikey",
    "accesskey", "privatekey",
  ]
}
