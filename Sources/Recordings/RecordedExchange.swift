internal import ByteText

/// A name and a value: a header field, a parameter of a query.
public struct RecordedField: Sendable, Hashable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  public static func == (left: RecordedField, right: RecordedField) -> Bool {
    left.name.equals(bytes: right.name) && left.value.equals(bytes: right.value)
  }
}

/// One request of a recording, and what came back.
public struct RecordedExchange: Sendable {
  /// Who asked; `nil`: another tool recorded it.
  public var key: RecordingKey?
  public var request: Request
  public var outcome: Outcome

  public init(key: RecordingKey?, request: Request, outcome: Outcome) {
    self.key = key
    self.request = request
    self.outcome = outcome
  }

  public struct Request: Sendable, Hashable {
    public var method: String
    public var url: String
    public var headers: [RecordedField]
    public var body: Body?

    public init(
      method: String, url: String, headers: [RecordedField] = [], body: Body? = nil
    ) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// What a request carries.
  public enum Body: Sendable, Hashable {
    case bytes([UInt8], type: String)
    /// The parts of a form, each with a text or the name of a file.
    case form([Part], type: String)
    /// A file, by its name.
    case file(String, type: String)
  }

  public struct Part: Sendable, Hashable {
    public var name: String
    public var value: String?
    public var fileName: String?
    public var type: String?

    public init(name: String, value: String?, fileName: String? = nil, type: String? = nil) {
      self.name = name
      self.value = value
      self.fileName = fileName
      self.type = type
    }
  }

  /// What came back.
  public enum Outcome: Sendable {
    case response(Response)
    /// No complete response, for a reason of this kind.
    case failure(kind: String, message: String)
  }

  public struct Response: Sendable {
    public var status: Int
    public var headers: [RecordedField]
    public var body: [UInt8]
    /// The protocol's version: `1.1`, `2`.
    public var version: String

    public init(
      status: Int, headers: [RecordedField] = [], body: [UInt8] = [], version: String = "1.1"
    ) {
      self.status = status
      self.headers = headers
      self.body = body
      self.version = version
    }

    /// The first value of a header field, compared without regard to case.
    public func header(_ name: String) -> String? {
      headers.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }
  }
}

extension RecordedExchange {
  public var response: Response? {
    if case .response(let response) = outcome { response } else { nil }
  }
}
