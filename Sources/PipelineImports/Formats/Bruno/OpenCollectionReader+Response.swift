internal import PipelineByteText

extension OpenCollectionReader {
  /// What a request says of its response: assertions, scripts and actions.
  mutating func readResponse(_ runtime: ReadNode?, _ request: inout ImportedRequest) {
    for node in Self.entries(runtime?["assertions"]) {
      let value = node["value"]?.plain ?? ""
      let text = (node["operator"]?.string ?? "eq") + " " + value
      if !BrunoExpression.expect(node["expression"]?.string ?? "", text, &request) {
        report.refuse(line(node), "the assertion is not translated; write 'expect'")
      }
    }
    var reader = ScriptReader()
    for node in runtime?["scripts"].items ?? [] {
      let code = node["code"]?.string ?? ""
      let start = line(node)
      if node["type"]?.string?.equals(bytes: "before-request") == true {
        report.refuse(start, "the script that runs before the request is not translated")
      } else {
        reader.read(code, into: &request, line: { start + 1 + $0 }, &report)
      }
    }
    for node in Self.entries(runtime?["actions"]) { readAction(node, &request) }
  }

  /// A variable that a value of the response sets.
  private mutating func readAction(_ node: ReadNode, _ request: inout ImportedRequest) {
    defer { node.ignore() }
    guard node["type"]?.string?.equals(bytes: "set-variable") == true,
      node["phase"]?.string?.equals(bytes: "before-request") != true,
      let name = node["variable"]?["name"]?.string,
      let source = node["selector"]?["expression"]?.string.flatMap(BrunoExpression.source)
    else {
      return report.refuse(
        line(node), "an action after the response is not translated; write 'extract'")
    }
    request.sets.append((name, source))
  }

  // MARK: Examples

  /// The responses that are kept beside a request.
  static func examples(_ list: ReadNode?) -> [SavedResponse] {
    defer { list?.ignore() }
    return list.items.compactMap { $0["response"].map(response) }
  }

  private static func response(_ node: ReadNode) -> SavedResponse {
    let body = node["body"]
    return SavedResponse(
      status: Int(node["status"]?.plain ?? "") ?? 200,
      headers: SavedResponse.headers(node["headers"]),
      body: (body?["data"] ?? body)?.string)
  }

  /// The routes of a mock server.
  func mocks() -> [MockedRoute] {
    defer { root.ignore() }
    return root["routes"].items.compactMap { route in
      guard let url = route["request"]?["url"]?.string, let response = route["response"] else {
        return nil
      }
      return MockedRoute(
        method: route["request"]?["method"]?.string ?? "GET", path: url,
        response: Self.response(response))
    }
  }
}
