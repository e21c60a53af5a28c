import JSONText
import Templates

/// What the steps of a file inherit.
struct Defaults {
  var baseURL: Written<BaseURL>?
  var query: [Request.Parameter] = []
  var headers: [Request.Parameter] = []
  var cookies: [Request.Parameter] = []
  var auth: Auth?
  var tls: TLS?
  var proxy: Written<Template>?
  var redirects: Int?
  var sendCredentials: [Written<String>] = []
  var body: Body?
  var expect: Expectation?
  var retry: RetryPolicy?
  var timeout: Written<Duration>?
  var onError: Step.OnError?
  var concurrency: Written<Int>?
}

extension WorkflowDecoder {
  mutating func readDefaults(_ node: JSONNode?) -> Defaults {
    var defaults = Defaults()
    guard let node, let fields = fields(of: node, .defaults, .key("defaults")) else {
      return defaults
    }
    for member in fields.members where member.value.isNull {
      report(
        .invalidValue, "null drops a default, and there is none to drop here; leave the key out",
        at: member.value.range)
    }
    defaults.baseURL = baseURL(fields.given("baseURL"))
    defaults.query = parameters(fields, "query", inherited: [])
    defaults.headers = parameters(fields, "headers", inherited: [])
    defaults.cookies = parameters(fields, "cookies", inherited: [])
    defaults.auth = fields.given("auth").flatMap { auth($0) }
    defaults.tls = fields.given("tls").flatMap { tls($0) }
    defaults.proxy = template(fields.given("proxy"), "proxy")
    defaults.redirects = integer(fields.given("redirects"), "redirects", minimum: 0)
    defaults.sendCredentials = origins(fields.given("sendCredentials"))
    defaults.body = fields.given("body").flatMap { body($0) }
    defaults.expect = fields.given("expect").map { expectation($0, judges: .response) }
    defaults.retry = fields.given("retry").flatMap { retry($0) }
    defaults.timeout = timeout(fields.given("timeout"))
    defaults.onError = choice(fields.given("onError"), "onError")
    defaults.concurrency = writtenInteger(fields.given("concurrency"), "concurrency", minimum: 1)
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
    return marked
  }
}
