public import PipelineJSONText
public import PipelineKit
internal import PipelineLanguage

extension ScriptedTransport {
  /// One answer of a script.
  public indirect enum Answer: Sendable {
    /// A response.
    case response(TransportResponse)
    /// No response, with a reason.
    case failure(TransportError)
    /// The same answer, later.
    case delayed(Answer, Duration)
    /// No response before the request's `timeout`, or within 60 seconds.
    case timeout

    /// A response with a JSON body.
    ///
    /// - Parameters:
    ///   - value: The body.
    ///   - status: The status of the response.
    ///   - headers: Further fields of the response.
    public static func json(
      _ value: JSONValue, status: Int = 200, headers: [HeaderField] = []
    ) -> Answer {
      .response(
        TransportResponse(
          status: status, headers: [HeaderField("Content-Type", "application/json")] + headers,
          body: value.document.bytes))
    }

    /// A response with a value of your own as its JSON body.
    ///
    /// - Parameters:
    ///   - value: The value whose JSON is the body.
    ///   - status: The status of the response.
    /// - Throws: `EncodingError` if the value cannot be encoded.
    public static func encoded(_ value: some Encodable, status: Int = 200) throws -> Answer {
      json(try JSONValue(encoding: value), status: status)
    }

    /// A response with a body of plain text.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - status: The status of the response.
    ///   - type: The media type of the body.
    public static func text(
      _ text: String, status: Int = 200, type: String = "text/plain"
    ) -> Answer {
      .response(
        TransportResponse(
          status: status, headers: [HeaderField("Content-Type", type)], body: Array(text.utf8)))
    }

    /// A response without a body.
    public static func status(_ status: Int, headers: [HeaderField] = []) -> Answer {
      .response(TransportResponse(status: status, headers: headers))
    }

    /// The connection is refused.
    public static var refused: Answer { .failure(.fault(.refused)) }
    /// The connection breaks before the response.
    public static var reset: Answer { .failure(.fault(.reset)) }
    /// The connection breaks in the middle of the response.
    public static var truncated: Answer { .failure(.fault(.truncated)) }
    /// The host's name has no address.
    public static var unknownHost: Answer { .failure(.fault(.dns)) }
    /// The server's certificate is not trusted.
    public static var untrusted: Answer { .failure(.fault(.tls)) }

    /// This answer, delayed by `delay` on the script's clock.
    ///
    /// - Parameter delay: The time on the clock of the script.
    public func after(_ delay: Duration) -> Answer { .delayed(self, delay) }

    /// The response, and its delay.
    var withDelay: (Answer, Duration) {
      guard case .delayed(let answer, let delay) = self else { return (self, .zero) }
      let (inner, more) = answer.withDelay
      return (inner, delay + more)
    }
  }
}
