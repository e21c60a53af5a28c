import SourceText

/// A step that reads its own values.
enum SelfReference: LintRule {
  static let explanation = Explanation(
    "self-reference", .error,
    what: "A step reads its own values, or those of the step that it stands in.",
    why: """
      A step's values exist once it has ended. Its response is read in `extract`, and with `@` in \
      `expect`. A step that inherits `auth` or a header which reads that very step, as a login \
      does, drops it with `null`.
      """,
    bad: """
      {
        "defaults": {
          "baseURL": "https://api.example.com",
          "auth": { "bearer": "{{login.token}}" }
        },
        "steps": [
          { "id": "login", "endpoint": "POST /login", "extract": { "token": "$.token" } },
          { "id": "user", "endpoint": "GET /user" }
        ]
      }
      """,
    good: """
      {
        "defaults": {
          "baseURL": "https://api.example.com",
          "auth": { "bearer": "{{login.token}}" }
        },
        "steps": [
          {
            "id": "login",
            "endpoint": "POST /login",
            "auth": null,
            "extract": { "token": "$.token" }
          },
          { "id": "user", "endpoint": "GET /user" }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    let uses = step.uses
    for number in uses.indices where uses[number].outcome == .itself {
      found.append(finding(for: uses[number], in: step.step))
    }
  }

  private static func finding(for use: ResolvedUse, in step: Step) -> Diagnostic {
    let id = step.id.value
    if let inherited = step.inheritedSetting(with: use.use.range) {
      return finding(
        "step '\(id)' inherits \(inherited.words), which reads '\(use.name)'; "
          + "write \(inherited.removal) in '\(id)'",
        at: step.id.range,
        related: [.init(range: use.use.range, message: "'\(use.name)' is read here")],
        fix: step.adding(inherited))
    }
    if use.name == id {
      return finding(
        "step '\(id)' reads its own values, which exist once it has ended; "
          + "read the response in 'extract', or with '@' in 'expect'", at: use.use.range)
    }
    return finding(
      "step '\(id)' reads '\(use.name)', the step that it stands in", at: use.use.range)
  }
}
