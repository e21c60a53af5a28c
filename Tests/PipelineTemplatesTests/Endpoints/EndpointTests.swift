import PipelineTemplates
import Testing

struct EndpointTests {
  @Test(arguments: [
    ("GET /users", "GET", "/users"), ("/users", nil, "/users"), ("users", nil, "users"),
    ("POST https://example.com/x", "POST", "https://example.com/x"),
    ("VERSION-CONTROL /x", "VERSION-CONTROL", "/x"), ("get", nil, "get"),
    ("{{list.next}}", nil, "{{list.next}}"), ("GET {{ list.next }}", "GET", "{{ list.next }}"),
    ("GET /users/{{ user['a b'] }}/x", "GET", "/users/{{ user['a b'] }}/x"),
    ("GET ?page=1", "GET", "?page=1"), ("sandbox:/reqres/users", nil, "sandbox:/reqres/users"),
  ])
  func anEndpointIsAMethodAndAURL(text: String, method: String?, url: String) {
    let (endpoint, problems) = Endpoint.parse(text)
    #expect(problems == [])
    #expect(endpoint.method == method)
    #expect(endpoint.url.text == url)
    #expect(
      endpoint.methodRange.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) } == method)
    #expect(String(decoding: Array(text.utf8)[endpoint.urlRange], as: UTF8.self) == url)
  }

  @Test(arguments: [
    ("get /users", "get", "GET", "GET"), ("Post /users", "Post", "POST", "POST"),
    ("GTE /users", "GTE", "GET", "GET"), ("DELET /users", "DELET", "DELETE", "DELETE"),
    ("PSOT /x", "PSOT", "POST", "POST"), ("FETCH /users", "FETCH", nil, nil),
    ("CONNECT /x", "CONNECT", nil, nil), ("users list", "users", nil, nil),
    ("{{m}} /users", "{{m}}", nil, nil),
  ])
  func aWrongMethodIsNamed(text: String, at: String, fix: String?, method: String?) throws {
    let (endpoint, problems) = Endpoint.parse(text)
    let problem = try #require(problems.first)
    #expect(problem.code == .method)
    #expect(String(decoding: Array(text.utf8)[problem.range], as: UTF8.self) == at)
    #expect(problem.fix == fix)
    #expect(endpoint.method == method)
  }

  @Test(arguments: [
    (" GET /users", " ", ""), ("GET /users\n", "\n", ""), ("GET  /users", "  ", " "),
    ("GET\t/users", "\t", " "), ("GET /users HTTP/1.1", " HTTP/1.1", ""),
  ])
  func spacesAreWhereTheyBelong(text: String, at: String, fix: String) throws {
    let (endpoint, problems) = Endpoint.parse(text)
    let problem = try #require(problems.first)
    #expect(problems.count == 1)
    #expect(problem.code == .endpoint)
    #expect(String(decoding: Array(text.utf8)[problem.range], as: UTF8.self) == at)
    #expect(problem.fix == fix)
    #expect(endpoint.method == "GET")
    #expect(endpoint.url.text == "/users")
  }

  @Test(arguments: ["", " ", "\t\n"])
  func anEmptyEndpointIsAProblem(text: String) {
    #expect(Endpoint.parse(text).problems.map(\.code).contains(.endpoint))
  }

  @Test func aMethodAloneHasNoURL() throws {
    let (endpoint, problems) = Endpoint.parse("GET")
    #expect(problems.map(\.code) == [.endpoint])
    #expect(endpoint.method == "GET")
  }

  @Test func offsetsCountFromTheStartOfTheEndpoint() throws {
    let text = "GET /a b/{{x y}}/{id}"
    let problems = Endpoint.parse(text).problems
    let places = problems.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) }
    #expect(places == [" ", "y", "{id}"])
    let endpoint = Endpoint.parse("GET /users/{{id}}?x={{y}}").endpoint
    #expect(endpoint.url.references.map(\.reference.range) == [11..<17, 20..<25])
    #expect(endpoint.url.references.map(\.position) == [.path, .query])
  }
}
