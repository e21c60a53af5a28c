/// Why a request is not answered (JSON-RPC 2.0 §5.1, and LSP 3.17's reserved codes).
package struct RPCError: Error, Sendable, Hashable {
  package let code: Int
  /// One phrase for the client's user.
  package let message: String

  package init(code: Int, message: String) {
    self.code = code
    self.message = message
  }

  package static let parseErrorCode = -32700
  package static let invalidRequestCode = -32600

  package static func invalidRequest(_ message: String) -> RPCError {
    RPCError(code: invalidRequestCode, message: message)
  }

  package static func unknownMethod(_ method: String) -> RPCError {
    RPCError(code: -32601, message: "the server has no method '\(method)'")
  }

  package static func invalidParameters(_ message: String) -> RPCError {
    RPCError(code: -32602, message: message)
  }

  /// A request that cannot be carried out as the state of the files is.
  package static func requestFailed(_ message: String) -> RPCError {
    RPCError(code: -32803, message: message)
  }

  package static let notInitialized = RPCError(
    code: -32002, message: "the server waits for 'initialize'")
  package static let cancelled = RPCError(code: -32800, message: "the client cancelled the request")
}
