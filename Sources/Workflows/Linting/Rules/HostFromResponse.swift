import JSONPaths
import SourceText
import Templates

/// A request whose host a response decides.
struct HostFromResponse: LintRule {
  static let explanation = Explanation(
    "host-from-response", .note,
    what: "The host that a request goes to is taken out of a response.",
    why: """
      Whoever writes that response decides where the request goes. Such a request gets no \
      credentials on a foreign origin, unless `sendCredentials` lists it. Where only the path \
      varies, write the host and insert the path.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "extract": { "next": "$.next" }
          },
          { "id": "next", "endpoint": "GET {{list.next}}" }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "extract": { "cursor": "$.cursor" }
          },
          {
            "id": "next",
            "endpoint": "GET https://api.example.com/users",
            "query": { "cursor": "{{list.cursor}}" }
          }
        ]
      }
      """)

  func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (number, step) in context.steps.enumerated() {
      guard let request = step.request, request.sendCredentials.isEmpty else { continue }
      for insertion in step.parts.insertions {
        guard case .url(let position) = insertion.site,
          position == .start || position == .authority, let name = insertion.query.firstName,
          case .step? = context.definition(of: name, in: number)
        else { continue }
        found.append(
          finding(
            "a response decides the host here, by '\(insertion.query.shown)'; on another origin "
              + "the request gets no credentials", at: insertion.range))
      }
    }
    return found
  }
}
