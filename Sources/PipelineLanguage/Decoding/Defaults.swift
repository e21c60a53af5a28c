import PipelineJSONText
import PipelineTemplates

/// The settings that the steps of a file inherit.
struct Defaults {
  var baseURL: Written<BaseURL>?
  /// Whether the file says something of `baseURL`, be it wrong.
  var namesBaseURL = false
  var query: [Request.Parameter] = []
  var headers: [Request.Parameter] = []
  var cookies: [Request.Parameter] = []
  var auth: Auth?
  var tls: TLS?
  var proxy: Written<Template>?
  var redirects: Int?
  var sendCredentials: [Written<BaseURL>] = []
  var body: Body?
  var expect: Expectation?
  var retry: RetryPolicy?
  var timeout: TimeLimits?
  var cache: Caching?
  var read: ResponseFormat?
  var recovery: WorkflowDecoder.Recovery?
  var concurrency: Written<Int>?
  var concurrencyData: DataTemplate?
}

extension WorkflowDecoder {
  /// `defaults`, on top of those of the base file.
  mutating func readDefaults(_ node: JSONNode?, over base: Defaults?) -> Defaults {
    var inherited = base ?? Defaults()
    guard let node else { return inherited }
    guard let fields = fields(of: node, .defaults, .key("defaults")) else {
      inherited.namesBaseURL = true
      return inherited
    }
    if base == nil {
      for member in fields.entries.lazy.map(\.member) where member.value.isNull {
        report(
          .invalidValue, "null removes a default, and this key has no default; leave the key out",
          at: member.value.range)
      }
    }
    var defaults = Defaults()
    defaults.namesBaseURL =
      inherited.namesBaseURL || fields.has("baseURL") || fields.suspects["baseURL"] != nil
    defaults.baseURL = inherit(fields, "baseURL", inherited.baseURL) { $0.baseURL($1) }
    defaults.query = parameters(fields, "query", inherited: inherited.query)
    defaults.headers = parameters(fields, "headers", inherited: inherited.headers)
    defaults.cookies = parameters(fields, "cookies", inherited: inherited.cookies)
    defaults.auth = inherit(fields, "auth", inherited.auth) { $0.auth($1) }
    defaults.tls = inherit(fields, "tls", inherited.tls) { $0.tls($1) }
    defaults.proxy = inherit(fields, "proxy", inherited.proxy) {
      $0.template($1, "proxy", allowsEmpty: false)
    }
    defaults.redirects = inherit(fields, "redirects", inherited.redirects) {
      $0.integer($1, "redirects", minimum: 0)
    }
    defaults.sendCredentials =
      inherit(fields, "sendCredentials", inherited.sendCredentials) { $0.origins($1) } ?? []
    defaults.body = inherit(fields, "body", inherited.body) { $0.body($1) }
    defaults.expect = inherit(fields, "expect", inherited.expect) {
      $0.expectation($1, judges: .response)
    }
    defaults.retry = inherit(fields, "retry", inherited.retry) { $0.retry($1) }
    defaults.timeout = inherit(fields, "timeout", inherited.timeout) { $0.timeout($1) }
    defaults.cache = caching(fields, defaultedTo: inherited.cache)
    defaults.read = inherit(fields, "read", inherited.read) { $0.reading($1) }
    defaults.recovery = inherit(fields, "onError", inherited.recovery) { $0.recovery($1) }
    (defaults.concurrency, defaults.concurrencyData) = amount(
      fields, "concurrency", inherited: (inherited.concurrency, inherited.concurrencyData))
    return defaults.markedInherited()
  }
}

extension Defaults {
  fileprivate func markedInherited() -> Defaults {
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
