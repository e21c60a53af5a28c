internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineOpenAPI

extension ArazzoReader {
  /// Adds what the description of an operation asks of its caller, unless the step gives it itself.
  /// Arazzo leaves credentials to the person who runs the file.
  mutating func addCredentials(
    of found: ArazzoSources.Found, _ groups: inout [String: [JSONValue.Member]],
    _ step: inout ArazzoStep, _ node: ReadNode
  ) {
    func gives(_ group: String, _ name: String) -> Bool {
      groups[group]?.contains { $0.name.equalsIgnoringASCIICase(name) } == true
    }
    if gives("headers", "Authorization") { return }
    var auth: JSONValue?
    var words: [String] = []
    func secret(_ word: String, isOptional: Bool = false) -> JSONValue {
      words.append(word)
      return .string(
        "{{inputs.\(sharedInput(word, isSecret: true, isOptional: isOptional))}}")
    }
    for scheme in found.description.security(of: found.operation) {
      switch scheme {
      case .bearer: auth = ["bearer": secret("token")]
      case .basic, .digest:
        let user = JSONValue.string("{{inputs.\(sharedInput("user", isSecret: false))}}")
        let pair: JSONValue = ["user": user, "password": secret("password")]
        auth = scheme == .basic ? ["basic": pair] : ["digest": pair]
      case .oauth2(let flow?):
        let client = JSONValue.string("{{inputs.\(sharedInput("clientId", isSecret: false))}}")
        // Programs of people need no secret.
        let isOptional = flow.loginURL != nil
        let oauth2 = OAuth2Settings(
          flow, clientID: client, clientSecret: secret("clientSecret", isOptional: isOptional))
        auth = ["oauth2": oauth2.json]
      case .oauth2(nil):
        auth = ["bearer": secret("token")]
        report.approximate(line(node), DescribedWorkflow.unfetchedToken)
      case .apiKey(let name, let place):
        let group = ["query": "query", "cookie": "cookies"][place] ?? "headers"
        if !gives(group, name) {
          groups[group, default: []].append(.init(name, secret(name)))
        }
      case .other(let name):
        report.approximate(
          line(node), "the security scheme '\(name)' has no counterpart; add what it needs")
      }
    }
    if let auth { step.auth = auth }
    if !words.isEmpty {
      let names = words.map { "'\($0)'" }.joined(separator: ", ")
      report.approximate(
        line(node), "the description asks for credentials: \(names), which are secret inputs")
    }
  }
}
