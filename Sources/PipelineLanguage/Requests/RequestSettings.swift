import PipelineJSONText
import PipelineTemplates

/// The settings of requests, which a step and `defaults` share.
struct RequestSettings: Sendable, DeclaredObject {
  var query: [RequestParameter] = []
  var headers: [RequestParameter] = []
  var cookies: [RequestParameter] = []
  var auth: Auth?
  var tls: TLS?
  var proxy: Written<Template>?
  var redirects = usualRedirects
  var cache: Caching?
  var read: ResponseFormat?
  var sendCredentials: [Written<BaseURL>] = []
  var body: Body?

  private static let usualRedirects = 10

  init() {}

  /// Over those that the decoder's file sets for every step.
  init(_ keys: inout Keys) {
    let inherited = keys.decoder.defaults.request
    query = keys.query()
    headers = keys.headers()
    cookies =
      keys.inherited(
        "cookies", ParametersType(place: .cookie, inherited: inherited.cookies),
        over: inherited.cookies, "The cookies that the request sends.",
        example: #"{"session": "{{login.session}}"}"#, foreign: ["cookie"]) ?? []
    auth = keys.auth()
    tls = keys.inherited(
      "tls", .object(.tls, TLS.self), over: inherited.tls,
      "The files with the client's certificate or the trusted authorities.",
      example: #"{"ca": "./ca.pem"}"#,
      foreign: [
        .says(
          "insecure verify verifySSL rejectUnauthorized strictSSL skipVerify cert certificate ca ssl",
          "certificates are always checked; name the authority to trust: 'tls': {\"ca\": …}")
      ])
    proxy = keys.inherited(
      "proxy", .template, over: inherited.proxy, "The proxy that the request goes through.",
      example: #""http://proxy.example.com:3128""#)
    redirects =
      keys.inherited(
        "redirects", .integer(atLeast: 0), over: inherited.redirects,
        "The maximum number of redirects; with 0, the 3xx is the response.",
        standard: "\(Self.usualRedirects)", example: "0",
        foreign: [
          .says(
            "followRedirects followRedirect maxRedirects allowRedirects redirect location",
            "write 'redirects': 0 to follow none, or the most to follow")
        ]) ?? Self.usualRedirects
    cache = keys.inherited(
      "cache", CachingType(), over: inherited.cache,
      "Keeps responses to GET for later runs; a duration says how long they are fresh.",
      standard: "false", example: "true")
    read = keys.reading()
    sendCredentials =
      keys.inherited(
        "sendCredentials", OriginsType(), over: inherited.sendCredentials,
        "Origins that get all credentials of the step, even if a response names them.",
        example: #"["https://files.example.com"]"#) ?? []
    body = keys.inherited(
      "body", BodyType(), over: inherited.body, "The body of the request.",
      example: #"{"json": {"name": "{{inputs.name}}"}}"#,
      foreign: [
        .says("json data payload requestBody", "write 'body': {\"json\": …}"),
        .says("form formData formParams urlencoded", "write 'body': {\"form\": …}"),
        .says(
          "multipart files", "write 'body': {\"multipart\": [{\"name\": …, \"file\": …}]}",
          as: "{\"multipart\": …}"),
        .says(
          "graphql", "write 'body': {\"graphql\": {\"query\": …}}",
          as: "{\"graphql\": {\"query\": \"…\"}}"),
        .says("text raw", "write 'body': {\"text\": …}"),
        .says(
          "file dataBinary", "write 'body': {\"file\": \"data.bin\"}",
          as: "{\"file\": \"…\"}"),
      ])
  }

  /// The same settings, as steps inherit them.
  func markedInherited() -> RequestSettings {
    var marked = self
    for index in marked.query.indices { marked.query[index].isInherited = true }
    for index in marked.headers.indices { marked.headers[index].isInherited = true }
    for index in marked.cookies.indices { marked.cookies[index].isInherited = true }
    marked.auth?.isInherited = true
    marked.tls?.isInherited = true
    marked.body?.isInherited = true
    return marked
  }
}

// The settings that a look-up has, too.
extension Keys {
  mutating func query() -> [RequestParameter] {
    let value = decoder.defaults.request.query
    return inherited(
      "query", ParametersType(place: .query, inherited: value), over: value,
      "The URL's query parameters; a list repeats one.",
      example: #"{"page": "{{inputs.page}}"}"#,
      foreign: [
        .says(
          "params parameters queryParams queryParameters qs searchParams queryString",
          "write 'query', or 'headers' for parameters of the header")
      ]) ?? []
  }

  mutating func headers() -> [RequestParameter] {
    let value = decoder.defaults.request.headers
    return inherited(
      "headers", ParametersType(place: .header, inherited: value), over: value,
      "The request's headers; a list repeats one.",
      example: #"{"Accept": "application/json"}"#,
      foreign: [
        "requestHeaders",
        .says(
          "idempotencyKey",
          "write 'headers': {\"Idempotency-Key\": …}, or 'unsafe' in 'retry', which makes a key for"
            + " each request", as: "{\"Idempotency-Key\": …}"),
      ]) ?? []
  }

  mutating func auth() -> Auth? {
    inherited(
      "auth", AuthType(), over: decoder.defaults.request.auth,
      "How the request authenticates its sender.",
      example: #"{"bearer": "{{inputs.token}}"}"#,
      foreign: [
        "authorization authentication authenticator",
        .says("token bearer", "write 'auth': {\"bearer\": …}"),
        .says(
          "basic user username password login",
          "write 'auth': {\"basic\": {\"user\": …, \"password\": …}}"),
      ])
  }

  mutating func reading() -> ResponseFormat? {
    inherited(
      "read", ResponseFormatType(), over: decoder.defaults.request.read,
      "How the body of an expected response becomes data. By default, JSON.",
      example: #""csv""#)
  }

  mutating func timeLimits() -> TimeLimits? {
    inherited(
      "timeout", TimeLimitsType(), over: decoder.defaults.timeout,
      "The maximum time of one attempt, redirects included.", example: #""10s""#,
      foreign: [
        .says(
          "connectTimeout", "write 'timeout': {\"connect\": \"5s\"}", as: "{\"connect\": …}"),
        .says("readTimeout", "write 'timeout': {\"silence\": \"60s\"}", as: "{\"silence\": …}"),
        .says("timeoutMinutes", "write 'timeout': \"5m\"", as: "\"…m\""),
        .says("timeoutSeconds", "write 'timeout': \"30s\"", as: "\"…s\""),
        .says("timeoutMs", "write 'timeout': \"500ms\"", as: "\"…ms\""),
        .says("maxTime requestTimeout", "write 'timeout': \"30s\"", as: "…"),
      ])
  }

  mutating func expectation(of judged: ExpectationType.Judged = .response) -> Expectation? {
    inherited(
      "expect", ExpectationType(judges: judged),
      over: judged == .response ? decoder.defaults.expect : nil,
      "The expectations of the response, or of the step's values.",
      example: #"{"status": 201}"#,
      foreign: [
        "assert asserts assertions test tests check checks expected expects",
        "successCriteria status should responses",
        .says("allowStatus allowedStatusCodes", "write 'expect': {\"status\": [\"2xx\", 404]}"),
      ])
  }

  mutating func retryPolicy() -> RetryPolicy? {
    inherited(
      "retry", RetryPolicyType(), over: decoder.defaults.retry,
      "How many times and when a failed request is sent again, or a failed block or file begun again.",
      standard: "\(RetryPolicy.none.attempts)", example: "3",
      foreign: [
        "retrier retryPolicy attempts backoff maxAttempts",
        .says(
          "retries maxRetries", "write 'retry', which counts the first attempt, too",
          as: "…+1"),
      ])
  }

  mutating func extractors() -> [Extractor] {
    optional(
      "extract", ExtractorsType(), "The values that the step extracts from the response.",
      example: #"{"ids": "$.data[*].id"}"#, names: .value,
      foreign: [
        "capture captures extractors export exports save_as register dataSelector",
        "recordSelector resultSelector resultPath outputPath selector response output result",
        "postResponse",
      ]) ?? []
  }
}
