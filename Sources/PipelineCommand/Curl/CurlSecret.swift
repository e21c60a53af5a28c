internal import PipelineLanguage

/// Tells by its name what is likely to be a credential.
enum CurlSecret {
  /// Whether a header of this name, in lower case, carries one.
  static func isHeader(_ name: String) -> Bool {
    [
      "api-key", "apikey", "-token", "-secret", "-auth", "x-auth", "access-key", "session",
      "subscription-key", "signature",
    ].contains { name.contains($0) }
  }

  /// Whether a parameter, a field of a form or a member of JSON is one.
  static func isField(_ name: String) -> Bool {
    CredentialNames.isField(name)
      || signatures.contains(name.lowercased().filter { $0 != "-" && $0 != "_" })
  }

  /// The parameters of a signed address, which opens what it names for every caller.
  private static let signatures: Set<String> = [
    "sig", "signature", "xamzsignature", "xgoogsignature", "subscriptionkey",
  ]
}
