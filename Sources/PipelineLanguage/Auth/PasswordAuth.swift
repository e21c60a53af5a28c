import PipelineByteText
package import PipelineTemplates

/// A user and a password, for `basic` (RFC 7617) and `digest` (RFC 7616).
package struct PasswordAuth: AuthForm {
  package let user: Written<Template>
  package let password: Written<Template>
  /// The key that chose it.
  private let scheme: String

  package func forEachPart(_ visit: (StepPart) -> Void) {
    visit(.text(user))
    visit(.text(password, .credential))
  }

  package var needed: [[Written<Template>]] { [[user], [password]] }
  package var secrets: [Written<Template>] { [password] }

  package func planText(_ values: PlannedCredentials) -> String {
    scheme + " " + values.text(user) + ":" + values.secret(password)
  }
}

extension PasswordAuth: DeclaredObject {
  init?(_ keys: inout Keys) {
    let user = keys.required(
      "user", .content, "The user's name.", example: #""{{inputs.user}}""#,
      foreign: [
        "username login name"
      ])
    let password = keys.required(
      "password", .content, "The user's password.", example: #""{{inputs.password}}""#,
      foreign: ["pass passwd secret"])
    for text in [user, password] {
      if let text { keys.decoder.checkCharacters(of: text.node, .header) }
    }
    guard let user, let password else { return nil }
    self.user = user
    self.password = password
    scheme = keys.key
    if scheme == "basic", user.value.literal?.contains(bytes: ":") == true {
      keys.decoder.report(
        .invalidValue,
        "a user of 'basic' has no ':': a server would take what follows for the password",
        at: user.range)
    }
  }
}

extension Keys {
  mutating func basic() -> PasswordAuth? {
    optional(
      "basic", .object(.credentials, PasswordAuth.self), "A user and a password (RFC 7617).",
      example: Self.exampleOfPassword,
      foreign: [
        .says(
          "username user password login pass", "write 'basic': {\"user\": …, \"password\": …}")
      ])
  }

  mutating func digest() -> PasswordAuth? {
    optional(
      "digest", .object(.credentials, PasswordAuth.self),
      "A user and a password; the password is never sent in the clear (RFC 7616).",
      example: Self.exampleOfPassword)
  }

  private static let exampleOfPassword =
    #"{"user": "{{inputs.user}}", "password": "{{inputs.password}}"}"#
}
