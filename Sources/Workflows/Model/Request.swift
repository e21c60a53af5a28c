public import JSONText
public import Templates

/// The request of a step, with the defaults merged in.
public struct Request: Sendable {
  public var endpoint: Written<Endpoint>
  /// The address that relative endpoints are appended to.
  public var baseURL: Written<BaseURL>?
  public var query: [Parameter] = []
  public var headers: [Parameter] = []
  public var cookies: [Parameter] = []
  public var auth: Auth?
  public var tls: TLS?
  public var proxy: Written<Template>?
  /// The most redirects followed; 0 hands back the 3xx.
  public var redirects = 10
  /// Origins, as written, that may be sent credentials though a response named them.
  public var sendCredentials: [Written<String>] = []
  public var body: Body?
  public var extract: [Extractor] = []
  public var retry = RetryPolicy.none
  public var timeout: Written<Duration>?
  public var poll: Poll?
  public var paginate: Pagination?
  /// Where below the output directory the body is written.
  public var save: Written<Template>?

  public init(endpoint: Written<Endpoint>) {
    self.endpoint = endpoint
  }

  /// The method as written; else POST where there is a body, else GET.
  public var method: String { endpoint.value.method ?? (body == nil ? "GET" : "POST") }

  /// A member of `query`, `headers`, `cookies` or a form.
  public struct Parameter: Sendable {
    /// How a list or an object is written, as in OpenAPI.
    public struct Style: Sendable {
      public enum Name: String, Sendable, CaseIterable {
        case form, spaceDelimited, pipeDelimited, deepObject
      }
      public var name = Name.form
      public var explode = true

      public init(name: Name = .form, explode: Bool = true) {
        self.name = name
        self.explode = explode
      }
    }

    public let name: String
    public let nameRange: Range<Int>
    public let value: DataTemplate
    public var style = Style()
    /// Whether the value comes from the file's `defaults`.
    public var isInherited = false
    public let node: JSONNode

    public init(name: String, nameRange: Range<Int>, value: DataTemplate, node: JSONNode) {
      self.name = name
      self.nameRange = nameRange
      self.value = value
      self.node = node
    }
  }
}

/// Files that prove who calls, or whom to trust.
public struct TLS: Sendable {
  public var ca: Written<Template>?
  public var cert: Written<Template>?
  public var key: Written<Template>?
  public var isInherited = false

  public init() {}
}
