import PipelineTemplates
import Testing

struct BaseURLTests {
  @Test(arguments: [
    ("https://h/api", "https://h/api"), ("{{url}}", "https://api.example.com/v1"),
    ("https://{{host}}/v{{id}}", "https://api.example.com/v7"),
    ("sandbox:/reqres", "sandbox:/reqres"),
    ("{{url}}/users", "https://api.example.com/v1/users"),
  ])
  func aBaseIsAbsolute(text: String, url: String) throws {
    let scope = try Scope(
      #"{"url": "https://api.example.com/v1", "host": "api.example.com", "id": 7}"#)
    let (base, problems) = BaseURL.parse(text)
    #expect(problems == [])
    #expect(try base.expand(scope.resolve) == url)
  }

  @Test(arguments: ["/api", "api", "https://h/?a=1", "https://h/#a", "{{url}}?a=b", "", "h:80"])
  func whatIsNoBaseIsAProblem(text: String) {
    #expect(BaseURL.parse(text).problems.count == 1)
  }

  @Test(arguments: ["https://h/?a", "https://h/#a", "/x", ""])
  func aValueThatIsNoBaseIsRefused(value: String) throws {
    let scope = try Scope("{\"x\": \"\(value)\"}")
    #expect(throws: ExpansionError.self) { try BaseURL.parse("{{x}}").base.expand(scope.resolve) }
  }
}
