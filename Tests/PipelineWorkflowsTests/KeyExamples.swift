import PipelineLanguage
import PipelineLint
import PipelinePlanning

/// Puts the example of a key into a whole workflow file.
enum KeyExamples {
  /// A file in which `key` stands in an object of this kind, with what it needs beside it.
  static func file(
    with key: LanguageKey, of kind: LanguageObject.Kind, value: String? = nil
  ) -> String {
    var members = [(key.name, value ?? key.example)]
    func add(_ name: String?) {
      guard let name, !members.contains(where: { $0.0 == name }), let other = kind.object[name]
      else { return }
      members.append((name, other.example))
      addCompanion(of: other)
    }
    func addCompanion(of key: LanguageKey) {
      guard !key.companions.contains(where: { name in members.contains { $0.0 == name } }) else {
        return
      }
      add(key.companions.first)
    }
    if kind == .range, ["zone", "format"].contains(key.name) {
      let day = #""2026-01-31""#
      members += [("from", day), ("to", day), ("by", #""1d""#)]
    }
    if key.name == "settle" { members.append(("endpoint", #""POST /orders""#)) }
    for other in kind.object.keys where other.isRequired { add(other.name) }
    addCompanion(of: key)
    for choice in kind.object.choices
    where !choice.keys.contains(where: { name in members.contains { $0.0 == name } }) {
      let action = LanguageAction.allCases.first { key.actions?.contains($0) ?? false }
      add(
        kind == .step || kind == .branch
          ? action?.rawValue ?? "endpoint" : kind == .paginate ? "page" : choice.keys[0]
      )
    }
    if members.contains(where: { $0.0 == "environments" }) { add("inputs") }
    if kind == .oauth2 {
      add("clientId")
      switch key.name {
      case "credential": add("refreshToken")
      case "authorizationURL", "redirectURL":
        members.append(("grant", #""authorizationCode""#))
        add("authorizationURL")
      case "deviceAuthorizationURL": members.append(("grant", #""deviceAuthorization""#))
      default: add("clientSecret")
      }
    }
    if kind == .paginate, key.name == "by" { add("items") }
    if kind == .step, key.name == "until" { add("concurrency") }
    let object = "{" + members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
    return wrap(object, kind)
  }

  private static func tests(_ test: String) -> String {
    "{\"workflow\": \"./example.json\", \"tests\": [\(test)]}"
  }

  private static func rounds(_ object: String) -> String {
    "{\"steps\": [{\"id\": \"example\", \"repeat\": \(object), "
      + "\"steps\": [{\"id\": \"get\", \"endpoint\": \"GET https://a.example/\"}]}]}"
  }

  private static func wrap(_ object: String, _ kind: LanguageObject.Kind) -> String {
    func step(_ members: String) -> String {
      "{\"steps\": [{\"id\": \"example\", \"endpoint\": \"POST https://a.example/\", \(members)}]}"
    }
    func client(_ auth: String) -> String {
      step(
        "\"auth\": {\"oauth2\": {\"tokenURL\": \"https://a.example/t\", \"clientId\": \"c\", "
          + "\"clientAuth\": \(auth)}}")
    }
    let steps = "\"steps\": [{\"id\": \"example\", \"endpoint\": \"GET https://a.example/\"}]"
    switch kind {
    case .file: return object
    case .base: return "{\(steps), \(object.dropFirst())"
    case .input: return "{\"inputs\": {\"page\": \(object)}, \(steps)}"
    case .state: return "{\"state\": {\"since\": \(object)}, \(steps)}"
    case .defaults: return "{\"defaults\": \(object), \(steps)}"
    case .limits: return "{\"limits\": \(object), \(steps)}"
    case .api: return "{\"api\": {\"https://a.example\": \(object)}, \(steps)}"
    case .contract:
      return "{\(steps), \"contracts\": {\"rows\": \(object)}, \"outputs\": {\"rows\": []}}"
    case .output: return "{\(steps), \"outputs\": {\"a\": \(object)}}"
    case .lint: return "{\"$lint\": \(object), \(steps)}"
    case .step:
      return "{\"defaults\": {\"baseURL\": \"https://a.example\"}, \"steps\": [\(object)]}"
    case .range: return step("\"forEach\": \(object)")
    case .itemState:
      return "{\"steps\": [{\"id\": \"example\", \"forEach\": [\"a\"], \"as\": \"account\", "
        + "\"state\": {\"since\": \(object)}, "
        + "\"steps\": [{\"id\": \"get\", \"endpoint\": \"GET https://a.example/\"}]}]}"
    case .rounds: return rounds(object)
    case .carried:
      return rounds(
        "{\"carry\": {\"offset\": \(object)}, \"until\": \"@.done\", \"maxRounds\": 9}")
    case .branch:
      return
        "{\"defaults\": {\"baseURL\": \"https://a.example\"}, \"steps\": [{\"id\": \"example\", "
        + "\"choose\": [\(object)]}]}"
    case .recovery: return step("\"onError\": \(object)")
    case .failure: return "{\"steps\": [{\"id\": \"example\", \"fail\": \(object)}]}"
    case .parameter: return step("\"query\": {\"a\": \(object)}")
    case .auth: return step("\"auth\": \(object)")
    case .credentials: return step("\"auth\": {\"basic\": \(object)}")
    case .oauth2: return step("\"auth\": {\"oauth2\": \(object)}")
    case .clientAuth: return client(object)
    case .clientKey: return client("{\"privateKeyJWT\": \(object)}")
    case .awsSigV4: return step("\"auth\": {\"awsSigV4\": \(object)}")
    case .sign: return step("\"auth\": {\"sign\": \(object)}")
    case .tls: return step("\"tls\": \(object)")
    case .body: return step("\"body\": \(object)")
    case .filePart: return step("\"body\": {\"file\": \(object)}")
    case .part: return step("\"body\": {\"multipart\": [\(object)]}")
    case .graphql: return step("\"body\": {\"graphql\": \(object)}")
    case .extractor: return step("\"extract\": {\"a\": \(object)}")
    case .expect: return step("\"expect\": \(object)")
    case .check: return step("\"expect\": {\"where\": [\(object)]}")
    case .reading: return step("\"read\": \(object)")
    case .csv: return step("\"read\": {\"csv\": \(object)}")
    case .tsv: return step("\"read\": {\"tsv\": \(object)}")
    case .xml: return step("\"read\": {\"xml\": \(object)}")
    case .sse: return step("\"read\": {\"sse\": \(object)}")
    case .paginate: return step("\"body\": {\"json\": {}}, \"paginate\": \(object)")
    case .pageValue:
      return "{\"inputs\": {\"start\": {\"type\": \"string\"}}, "
        + step("\"query\": {\"a\": \"{{a}}\"}, \"paginate\": {\"carry\": {\"a\": \(object)}}")
        .dropFirst()
    case .poll: return step("\"poll\": \(object)")
    case .retry: return step("\"retry\": \(object)")
    case .settle:
      return step("\"settle\": \(object)").replacing(
        "{\"steps\"", with: "{\"defaults\": {\"baseURL\": \"https://a.example\"}, \"steps\"")
    case .timeout: return step("\"timeout\": \(object)")
    case .tests: return object
    case .test: return tests(object)
    case .answer: return tests("{\"name\": \"a\", \"respond\": {\"example\": \(object)}}")
    case .itemAnswers:
      return tests("{\"name\": \"a\", \"respond\": {\"each\": \(object)}}")
    case .expected: return tests("{\"name\": \"a\", \"expect\": \(object)}")
    case .expectedFailure:
      return tests("{\"name\": \"a\", \"expect\": {\"failures\": [\(object)]}}")
    }
  }
}
