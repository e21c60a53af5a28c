internal import PipelineByteText

/// A name and a value: a header field, a parameter of a query.
public struct RecordedField: Sendable, Hashable {
  /// The field's name, as it was written.
  public var name: String
  /// The field's value.
  public var value: String

  /// A field with a name and a value.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Compares byte by byte.
  public static func == (left: RecordedField, right: RecordedField) -> Bool {
    left.name.equals(bytes: right.name) && left.value.equals(bytes: right.value)
  }
}

/// One request of a recording, and its response.
public struct RecordedExchange: Sendable {
  /// The asking step; `nil` if another tool recorded it.
  public var key: RecordingKey?
  /// Why the request was sent, as `requestFinished` events name it; `nil` if that is not recorded.
  public var cause: String?
  /// The request.
  public var request: Request
  /// The outcome.
  public var outcome: Outcome

  /// An exchange. Without a key it comes from another tool.
  public init(key: RecordingKey?, request: Request, outcome: Outcome) {
    self.key = key
    self.request = request
    self.outcome = outcome
  }

  /// A request, secrets named.
  public struct Request: Sendable, Hashable {
    /// The method, as it was sent.
    public var method: String
    /// The absolute URL.
    public var url: String
    /// The header fields, in the order in which they were sent.
    public var headers: [RecordedField]
    /// The body; `nil` if there was none.
    public var body: Body?

    /// A request without a body, unless one is given.
    public init(
      method: String, url: String, headers: [RecordedField] = [], body: Body? = nil
    ) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// The body of a request.
  public enum Body: Sendable, Hashable {
    /// Content in memory, with its media type.
    case bytes([UInt8], type: String)
    /// The parts of a form, each with a text or the name of a file.
    case form([Part], type: String)
    /// A file, by its name.
    case file(String, type: String)
  }

  /// One part of a multipart form.
  public struct Part: Sendable, Hashable {
    /// The name of the form's field.
    public var name: String
    /// The content as text; `nil` if it is not kept.
    public var value: String?
    /// The file's name, if the part has one.
    public var fileName: String?
    /// The part's `Content-Type`, if it has one.
    public var type: String?

    /// A part of a form.
    public init(name: String, value: String?, fileName: String? = nil, type: String? = nil) {
      self.name = name
      self.value = value
      self.fileName = fileName
      self.type = type
    }
  }

  /// The response.
  public enum Outcome: Sendable {
    /// A response came.
    case response(Response)
    /// No complete response, with a reason of this kind.
    case failure(kind: String, message: String)
  }

  /// A response, secrets named.
  public struct Response: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields, without fields that differ each time.
    public var headers: [RecordedField]
    /// The body, decoded.
    public var body: [UInt8]
    /// The protocol's version: `1.1`, `2`.
    public var version: String

    /// A response with a status.
    public init(
      status: Int, headers: [RecordedField] = [], body: [UInt8] = [], version: String = "1.1"
    ) {
      self.status = status
      self.headers = headers
      self.body = body
      self.version = version
    }

    /// The first value of a header field, compared without regard to case.
    ///
    /// - Parameter name: The name of the field, in upper or lower case.
    public func header(_ name: String) -> String? {
      headers.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }
  }
}

extension RecordedExchange {
  /// The response; `nil` if the exchange failed.
  public var response: Response? {
    if case .response(let response) = outcome { response } else { nil }
  }
}
