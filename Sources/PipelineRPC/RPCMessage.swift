package import PipelineJSONText

/// A message of JSON-RPC 2.0, received or to be sent.
package enum RPCMessage: Sendable {
  case request(RPCIdentifier, method: String, JSONNode?)
  case notification(method: String, JSONNode?)
  /// The answer to a request. Without a name it reports a message that could not be read.
  case response(RPCIdentifier?, Result<JSONNode, RPCError>)

  /// Reads a message.
  ///
  /// - Throws: What is wrong with it, to be sent back.
  /// - Complexity: O(bytes).
  package init(parsing bytes: [UInt8]) throws(RPCError) {
    let root: JSONNode
    do throws(JSONSyntaxError) {
      root = try JSONDocument.parse(bytes).root
    } catch {
      throw RPCError(code: RPCError.parseErrorCode, message: error.message)
    }
    guard root.kind == .object, root["jsonrpc"]?.string == "2.0" else {
      throw .invalidRequest("a message is an object with \"jsonrpc\": \"2.0\"")
    }
    let parameters = root["params"]
    if let parameters, parameters.kind != .object, parameters.kind != .array,
      parameters.kind != .null
    {
      throw .invalidRequest("'params' is an object or an array")
    }
    if let method = root["method"]?.string {
      guard let name = root["id"] else {
        self = .notification(method: method, parameters)
        return
      }
      guard let identifier = RPCIdentifier(name) else {
        throw .invalidRequest("'id' is a number or a string")
      }
      self = .request(identifier, method: method, parameters)
      return
    }
    let identifier = root["id"].flatMap { RPCIdentifier($0) }
    if let error = root["error"] {
      self = .response(
        identifier,
        .failure(
          RPCError(
            code: error["code"].flatMap { Int($0.text) } ?? RPCError.invalidRequestCode,
            message: error["message"]?.string ?? "")))
    } else if let result = root["result"] {
      self = .response(identifier, .success(result))
    } else {
      throw .invalidRequest("a message has 'method', 'result' or 'error'")
    }
  }

  package static func request(
    _ identifier: RPCIdentifier, _ method: String, _ parameters: JSONValue
  ) -> [UInt8] {
    text([("id", identifier.value), ("method", .string(method)), ("params", parameters)])
  }

  package static func notification(_ method: String, _ parameters: JSONValue) -> [UInt8] {
    text([("method", .string(method)), ("params", parameters)])
  }

  package static func response(
    _ identifier: RPCIdentifier?, _ result: Result<JSONValue, RPCError>
  ) -> [UInt8] {
    let name = identifier?.value ?? .null
    switch result {
    case .success(let value): return text([("id", name), ("result", value)])
    case .failure(let error):
      let object: JSONValue = .object([
        .init("code", JSONValue(error.code)), .init("message", .string(error.message)),
      ])
      return text([("id", name), ("error", object)])
    }
  }

  private static func text(_ members: [(String, JSONValue)]) -> [UInt8] {
    let all = [("jsonrpc", JSONValue.string("2.0"))] + members
    return JSONValue.object(all.map { .init($0.0, $0.1) }).document.bytes
  }
}
