package import PipelineJSONPaths
package import PipelineTemplates

/// The request of a step, with the defaults merged in.
///
/// By reference: it is large and never changes.
package final class Request: Sendable {
  package let endpoint: Written<Endpoint>
  /// The address that relative endpoints are appended to.
  package let baseURL: Written<BaseURL>?
  package let query: [Parameter]
  package let headers: [Parameter]
  package let cookies: [Parameter]
  package let auth: Auth?
  /// The maximum number of redirects followed. 0 returns the 3xx.
  package let redirects: Int
  /// Origins that may be sent credentials though a response named them: fixed ones, and inputs.
  package let sendCredentials: [Written<BaseURL>]
  package let body: Body?
  package let extract: [Extractor]
  package let retry: RetryPolicy
  package let timeout: TimeLimits?
  private let rest: Rest?

  /// Settings that few requests have, kept apart so that the others are small.
  private final class Rest: Sendable {
    let tls: TLS?
    let proxy: Written<Template>?
    let poll: Poll?
    let paginate: Pagination?
    let save: Written<Template>?
    let cache: Caching?
    let read: ResponseFormat?
    let settle: Settle?

    init(
      tls: TLS?, proxy: Written<Template>?, poll: Poll?, paginate: Pagination?,
      save: Written<Template>?, cache: Caching?, read: ResponseFormat?, settle: Settle?
    ) {
      self.settle = settle
      self.cache = cache
      self.read = read
      self.tls = tls
      self.proxy = proxy
      self.poll = poll
      self.paginate = paginate
      self.save = save
    }
  }

  package var tls: TLS? { rest?.tls }
  package var proxy: Written<Template>? { rest?.proxy }
  package var poll: Poll? { rest?.poll }
  package var paginate: Pagination? { rest?.paginate }
  /// Where below the output directory the body is written.
  package var save: Written<Template>? { rest?.save }
  /// How long an answer is kept for later requests; `nil` if none is kept.
  package var cache: Caching? { rest?.cache }
  /// How a body becomes data; `nil` for JSON, if it is.
  package var read: ResponseFormat? { rest?.read }
  /// How to find out whether the request was carried out; `nil` if a person says so.
  package var settle: Settle? { rest?.settle }

  init(
    endpoint: Written<Endpoint>, baseURL: Written<BaseURL>?, query: [Parameter],
    headers: [Parameter], cookies: [Parameter], auth: Auth?, tls: TLS?,
    proxy: Written<Template>?, redirects: Int, sendCredentials: [Written<BaseURL>], body: Body?,
    extract: [Extractor], retry: RetryPolicy, timeout: TimeLimits?, poll: Poll?,
    paginate: Pagination?, save: Written<Template>?, cache: Caching?, read: ResponseFormat?,
    settle: Settle? = nil
  ) {
    self.endpoint = endpoint
    self.baseURL = baseURL
    self.query = query
    self.headers = headers
    self.cookies = cookies
    self.auth = auth
    self.redirects = redirects
    self.sendCredentials = sendCredentials
    self.body = body
    self.extract = extract
    self.retry = retry
    self.timeout = timeout
    let isPlain =
      tls == nil && proxy == nil && poll == nil && paginate == nil && save == nil
      && cache == nil && read == nil && settle == nil
    rest =
      isPlain
      ? nil
      : Rest(
        tls: tls, proxy: proxy, poll: poll, paginate: paginate, save: save, cache: cache,
        read: read, settle: settle)
  }

  /// The same request with a look-up.
  func settled(by settle: Settle) -> Request {
    Request(
      endpoint: endpoint, baseURL: baseURL, query: query, headers: headers, cookies: cookies,
      auth: auth, tls: tls, proxy: proxy, redirects: redirects, sendCredentials: sendCredentials,
      body: body, extract: extract, retry: retry, timeout: timeout, poll: poll,
      paginate: paginate, save: save, cache: cache, read: read, settle: settle)
  }

  /// The method as written. Without one, POST if there is a body, else GET. A step that calls Swift
  /// may be repeated unless its method says otherwise.
  package var method: String {
    endpoint.value.method ?? (body == nil || handler != nil ? "GET" : "POST")
  }

  /// The method as people read it; `nil` for a step that calls Swift and has no written method.
  package var shownMethod: String? { handler == nil ? method : endpoint.value.method }

  /// The name of the handler in Swift that the step calls; `nil` if it asks a server.
  package var handler: String? { endpoint.value.url.handler }

  /// The queries whose `$` is the response's body: of extractors, and of pages.
  package var bodyQueries: [Written<Query>] {
    extract.compactMap { if case .body(let query) = $0.source { query } else { nil } }
      + (paginate.map { [$0.items] + $0.form.sources.map(\.query) } ?? []).compactMap { $0 }
  }

  /// A member of `query`, `headers`, `cookies` or a form.
  package typealias Parameter = RequestParameter
}
