internal import PipelineByteText
internal import PipelineEditing
internal import PipelineHTTPTerms
internal import PipelineJSONText
internal import PipelineRPC

/// Commands of the user: they run what is on the disk, once it is safe or confirmed.
extension LanguageServer {
  mutating func execute(_ identifier: RPCIdentifier, _ parameters: JSONNode?) {
    do throws(RPCError) {
      let order = try order(identifier, parameters)
      guard order.action == .run, mayChangeSomething(order) else {
        start(order)
        return
      }
      let question = ask(
        "window/showMessageRequest",
        [
          "type": 2,
          "message": .string("\(order.title) sends requests that may change something"),
          "actions": [["title": "Run"], ["title": "Cancel"]],
        ])
      unconfirmed[question] = order
    } catch {
      respond(identifier, .failure(error))
    }
  }

  /// An answer of the editor to a question of the server.
  mutating func answered(_ question: RPCIdentifier, _ result: Result<JSONNode, RPCError>) {
    if let order = unconfirmed.removeValue(forKey: question) {
      if case .success(let action) = result, action["title"]?.string == "Run" {
        start(order)
      } else {
        respond(order.request, .failure(.cancelled))
      }
    }
    if var order = awaitingProgress.removeValue(forKey: question) {
      if case .success = result {
        order.showsProgress = true
        send(
          "$/progress",
          [
            "token": order.request.value,
            "value": ["kind": "begin", "title": .string(order.title), "cancellable": true],
          ])
      }
      effects.append(.start(order))
    }
  }

  private mutating func start(_ order: RunOrder) {
    guard abilities.showsProgress else {
      effects.append(.start(order))
      return
    }
    let question = ask("window/workDoneProgress/create", ["token": order.request.value])
    awaitingProgress[question] = order
  }

  private func order(
    _ identifier: RPCIdentifier, _ parameters: JSONNode?
  ) throws(RPCError) -> RunOrder {
    let command = parameters?["command"]?.string ?? ""
    guard let action = RunOrder.Action.allCases.first(where: { $0.command == command }) else {
      throw .invalidParameters("the server has no command '\(command)'")
    }
    let arguments = parameters?["arguments"].map { $0.elements.map(\.string) } ?? []
    guard let uri = arguments.first ?? nil, let path = FileURI.path(of: uri) else {
      throw .invalidParameters("'\(command)' takes the URI of a file on this machine")
    }
    if action != .show, let text = folder.text(path),
      (try? files.read(path, WorkflowFiles.sizeLimit)) != text.bytes
    {
      throw .requestFailed("save the file first: what is on the disk is run")
    }
    return RunOrder(
      request: identifier, action: action, path: path,
      name: arguments.count > 1 ? arguments[1] : nil,
      refreshesLenses: action == .run && abilities.refreshesLenses)
  }

  /// Whether a request of the file is unsafe (RFC 9110 §9.2.1), or may be.
  private func mayChangeSomething(_ order: RunOrder) -> Bool {
    guard let bytes = try? files.read(order.path, WorkflowFiles.sizeLimit) else { return true }
    var open = [JSONDocument.parseRecovering(bytes).document.root]
    while let node = open.popLast() {
      if node.kind == .array { open += node.elements }
      guard node.kind == .object else { continue }
      for member in node.members {
        if member.name == "workflow" || member.name == "extends" || member.name == "call" {
          return true
        }
        if member.name == "endpoint", let endpoint = member.value.string {
          let method = endpoint.split(ascii: " ").first.map(String.init) ?? ""
          if !HTTPMethod.isSafe(method) { return true }
        }
        open.append(member.value)
      }
    }
    return false
  }
}
